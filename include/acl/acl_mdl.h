/* Placeholder: the model interface is not part of this runtime. */
#ifndef INC_EXTERNAL_ACL_ACL_MDL_H_
#define INC_EXTERNAL_ACL_ACL_MDL_H_

#endif  // INC_EXTERNAL_ACL_ACL_MDL_H_
