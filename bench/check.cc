#include "check.h"

#include <cstdio>
#include <cstdlib>

#include "acl/acl.h"

namespace belay::bench {

void Check(int status, const char* what) {
  if (status == 0) return;
  const char* message = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s returned %d: %s\n", what, status, message != nullptr ? message : "");
  std::exit(1);
}

}  // namespace belay::bench
