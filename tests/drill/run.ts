// Options first: one that is wrong is refused before anything of the service is loaded.
import './options.ts';

// npm run drill: a service of its own is filled, dumped, destroyed and restored, and must answer as before. With --from and --to (owners'
// addresses) nothing is made nor destroyed: the first is dumped, the second, empty, receives it. Exit 1 when anything differs.
await import('./play.ts');
