// Marks what the faces may call in the shared private library. Everything else stays hidden.
#pragma once

#define BELAY_EXPORT __attribute__((visibility("default")))
