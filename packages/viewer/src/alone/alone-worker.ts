/** Both threads of a page of one file: most of their code is the same. The page says which one it is. */

declare const manyworldsKind: 'asset' | 'simulation';

if (manyworldsKind === 'simulation') void import('../simulation/simulation-worker.ts');
else void import('../asset/asset-worker.ts');

export {};
