import sys;
sys.path.insert(0, '/work/main/analysis') import importlib.util, numpy as np,
    time import deformbench_analysis spec =
        importlib.util.spec_from_file_location('deformbench_analysis.mls', '/tmp/stage/moving_least_squares.py');
m = importlib.util.module_from_spec(spec);
sys.modules[spec.name] = m;
spec.loader.exec_module(m) def block(n, jit = .3, seed = 1, ratio = 2.2, along = None)
    : rng = np.random.default_rng(seed); along=along or n
    g=np.stack(np.meshgrid(np.arange(along),np.arange(n),np.arange(n),indexing='ij'),-1).reshape(-1,3)+.5
    x=(g+jit*rng.uniform(-1,1,g.shape))/n
    return m.Nodes.of_material(x,np.full(len(x),ratio/n),1e5,.33)
if __name__=='__main__':
    for n in (6,8):
      for jit in (0,.3):
        t=time.time();
N = block(n, jit) print(n, jit, N.count, len(N.pairs) / N.count, 'cond', np.percentile(N.conditions, [ 50, 95, 100 ]),
                        'vol', N.volumes.sum(), time.time() - t) mass = np.full(N.count, 1000 / N.count);
w = np.linalg.eigvalsh(N.over_masses(mass).toarray());
cs = np.sqrt(N.shear_modulus / 1000) om =
    np.sqrt(np.maximum(w, 0)) /
    cs print('modes below', np.sum(om < 2.85) - 6, om[:12].round(3), 'max',
                                                          2 / np.sqrt(w[-1]) * np.sqrt(148164.5 / 1000) * n,
                                                          time.time() - t) x =
        N.rest + .05 / n * np.random.default_rng(0).normal(size = N.rest.shape);
d = np.random.default_rng(3).normal(size = x.shape) print(N.energy_slope(x, d), -(N.forces(x) * d).sum())
