/* Thread-local variables are ordinary globals here: there is no image to reset them from. */
#include "pthread_impl.h"

void __reset_tls(void)
{
}
