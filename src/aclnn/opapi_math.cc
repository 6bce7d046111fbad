// libopapi_math.so: the home of aclnn's mathematical operators, none of which is served yet. The
// library exists so that link lines which name it work.
#include "aclnnop/aclnn_util.h"
