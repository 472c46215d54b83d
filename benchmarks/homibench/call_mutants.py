def judged(arguments, seed, place): return {}
def table(results): return []
