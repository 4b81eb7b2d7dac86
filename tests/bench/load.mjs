import autocannon from 'autocannon';

// Reads one job on standard input, prints what the server did. Each request takes the next key: one key may ask 120 times
// a minute, and a bench must not measure refusals; `cookie` in place of keys asks as a browser. `%7Bn%7D` in the address is another number each time. With `amount` it ends once
// so many were answered, however slow the machine; else after `seconds`.
let text = '';
for await (const chunk of process.stdin) text += chunk;
const { url, keys = [], cookie, seconds, amount, connections } = JSON.parse(text);
const { pathname, search, origin } = new URL(url);
let count = Math.floor(Math.random() * 1e9);
let next = Math.floor(Math.random() * keys.length);
const cpu = process.cpuUsage();
const run = autocannon({
  url: origin,
  connections,
  // A slow answer is a slow answer: what is counted as failed was refused or cut.
  timeout: 240,
  ...(amount ? { amount } : { duration: seconds }),
  requests: [
    {
      method: 'GET',
      path: pathname + search,
      setupRequest(request) {
        next = (next + 1) % keys.length;
        count += 1;
        const path = (pathname + search).replace('%7Bn%7D', String(count));
        const caller = cookie ? { cookie } : { authorization: `Bearer ${keys[next]}` };
        return { ...request, path, headers: { ...request.headers, ...caller } };
      },
    },
  ],
});
// By the answers themselves: autocannon ends with the second in which the last one came.
let [beganMs, endedMs] = [0, 0];
run.on('start', () => {
  beganMs = performance.now();
});
run.on('response', () => {
  endedMs = performance.now();
});
const result = await run;
const { user, system } = process.cpuUsage(cpu);
process.stdout.write(
  JSON.stringify({
    requestsPerSecond: amount ? (amount * 1000) / (endedMs - beganMs) : result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    errors: result.errors + result.timeouts + result.non2xx,
    cpuSeconds: (user + system) / 1e6,
  }),
);
