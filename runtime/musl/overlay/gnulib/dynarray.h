/* Nothing: malloc/dynarray-skeleton.c has all. */
