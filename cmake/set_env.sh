# shellcheck shell=sh disable=SC3028 # BASH_SOURCE is asked for in bash alone
# Sets up a shell to build and run programs with this copy of Belay. Source it, do not run it:
#
#   . /path/to/belay/set_env.sh
#
# --cxx_abi=1 may be given, as for ATB's own script (not in dash, which hands no words to a sourced
# file). Works in bash, zsh and dash, and from wherever the tree was moved to. Sourcing it again changes
# nothing.

belay_unserved=
for belay_word in "$@"; do
  case $belay_word in
    --cxx_abi=1) ;;
    --cxx_abi=*) belay_unserved=$belay_word ;;
  esac
done

belay_script=
if [ -n "${BASH_VERSION:-}" ]; then
  belay_script=${BASH_SOURCE:-}
elif [ -n "${ZSH_VERSION:-}" ]; then
  eval 'belay_script=${(%):-%x}'
elif read -r belay_pid belay_fd </proc/self/stat; then
  # Other shells do not tell which file they are reading, but they hold it open.
  for belay_fd in "/proc/$belay_pid/fd"/*; do
    belay_file=$(command -p readlink -- "$belay_fd") || belay_file=
    case $belay_file in
      */set_env.sh) belay_script=$belay_file ;;
    esac
  done
fi
if [ -n "$belay_script" ]; then
  belay_script=$(command -p readlink -f -- "$belay_script") || belay_script=
fi
belay_root=${belay_script%/*}

# Puts directory $1 at the front of the list $2, once.
belay_prepend() {
  belay_list=:$2:
  while :; do
    case $belay_list in
      *":$1:"*) belay_list=${belay_list%%":$1:"*}:${belay_list#*":$1:"} ;;
      *) break ;;
    esac
  done
  belay_list=${belay_list#:}
  belay_list=${belay_list%:}
  belay_list=$1${belay_list:+:$belay_list}
}

if [ -n "$belay_unserved" ]; then
  echo "set_env.sh: $belay_unserved is not served yet; allowed --cxx_abi=1" \
    "(_GLIBCXX_USE_CXX11_ABI=1, the compiler's default)" >&2
  belay_result=1
elif [ -z "$belay_root" ] || [ ! -e "$belay_root/lib/libascendcl.so" ]; then
  echo "set_env.sh: this shell does not tell where the file lies; use instead:" \
    "eval \"\$(/path/to/belay/bin/belay env)\"" >&2
  belay_result=1
else
  export ASCEND_HOME_PATH="$belay_root"
  export ASCEND_TOOLKIT_HOME="$belay_root"
  export ATB_HOME_PATH="$belay_root/atb/cxx_abi_1"
  belay_prepend "$belay_root/lib" "${LD_LIBRARY_PATH:-}"
  export LD_LIBRARY_PATH="$belay_list"
  belay_prepend "$belay_root/bin" "${PATH:-/usr/local/bin:/usr/bin:/bin}"
  export PATH="$belay_list"
  belay_prepend "$belay_root/lib/pkgconfig" "${PKG_CONFIG_PATH:-}"
  export PKG_CONFIG_PATH="$belay_list"
  belay_result=0
fi

unset -f belay_prepend
unset belay_unserved belay_word belay_script belay_root belay_pid belay_fd belay_file belay_list
if [ "$belay_result" -ne 0 ]; then
  unset belay_result
  return 1
fi
unset belay_result
