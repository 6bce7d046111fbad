// libopapi_math.so: the home of aclnn's mathematical operators. Programs that name it link even
// where they use none of them.
#include "aclnnop/aclnn_util.h"
