"""The figures of a kernel alone, of pyzmq and of nbclient: `name<TAB>value` lines."""

import time

from beside import Nbclient, Pyzmq

ROUNDS = 500

pyzmq = Pyzmq()
rounds = sorted(pyzmq.rounds(ROUNDS))
print(f"round trip of `1`, p50 (ms)\t{rounds[ROUNDS // 2]}")
print(f"round trip of `1`, p99 (ms)\t{rounds[ROUNDS * 99 // 100]}")
begun = time.perf_counter()
pyzmq.run("for i in range(100000): print('%06d' % i + 'x' * 73)")
print(f"100,000 lines of 80 characters (s)\t{time.perf_counter() - begun}")
pyzmq.end()

nbclient = Nbclient()
print(f"a cell of 200, one after the other (ms)\t{nbclient.all()}")
nbclient.end()
