// Ends the benchmark when a call of the API fails: nothing measured after it would mean anything.
#pragma once

namespace belay::bench {

void Check(int status, const char* what);

}  // namespace belay::bench
