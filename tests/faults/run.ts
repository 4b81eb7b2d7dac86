// Options first: one that is wrong is refused before anything of the service is loaded.
import './options.ts';

// npm run faults [-- --only crash,pool --count 40]: what a caller sees while something is down, that it heals, and that books and counters
// are exact afterwards. On a PostgreSQL of its own, thrown away at the end. Exit 1 when anything is not as it must be.
await import('./play.ts');
