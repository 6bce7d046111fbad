/* Placeholder: the single-operator interface is not part of this runtime. */
#ifndef INC_EXTERNAL_ACL_ACL_OP_H_
#define INC_EXTERNAL_ACL_ACL_OP_H_

#endif  // INC_EXTERNAL_ACL_ACL_OP_H_
