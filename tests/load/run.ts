// Options first: one that is wrong is refused before anything of the service is loaded.
import './options.ts';

// npm run load [-- --seconds 120 --callers 24]: a mixed workload against a really started server, on data of its own: reads, writes,
// searches, generations, forged webhooks, sweeps and retention at once. Prints one report; exit 1 when an answer is not the expected one or
// an invariant does not hold.
await import('./measure.ts');
