/* The kernel's own deliveries of signals are not used: see hk_raise in model.c. */
#define hk_raise hk_raise_in_the_model
#define hk_raise_about hk_raise_about_in_the_model
#define hk_tells_signal hk_tells_signal_in_the_model
#define hk_raise_timer hk_raise_timer_in_the_model
#define hk_handled hk_handled_in_the_model
#define hk_pending_signals hk_pending_signals_in_the_model
#define hk_waiting_signals hk_waiting_signals_in_the_model
#define hk_take_signal hk_take_signal_in_the_model
#define hk_enter_mask hk_enter_mask_in_the_model
#define hk_children_end_unseen hk_children_end_unseen_in_the_model
#define hk_leave_mask hk_leave_mask_in_the_model
#include "signal.c"
