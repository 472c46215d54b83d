/* Empty: a program starts at __homi_start (env/homi/__libc_start_main.c), not at an assembly entry point. */
