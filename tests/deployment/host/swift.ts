import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { nextFreePort } from '#lib/local/serving/serve.ts';
import { until } from '#tests/setup/until.ts';
import { hasEnded, lastWords, runCommand, stopProcess, tail, wordsOf } from '../child.ts';
import { installPackages, UNPRIVILEGED } from './debian.ts';

const PACKAGES = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object'];
const SERVERS = ['account', 'container', 'object'] as const;
const S3_KEYS = { accessKeyId: 'test:tester', secretAccessKey: 'testing' };
const REGION = 'us-east-1';

/** OpenStack Swift of Debian as an S3 server: signatures, conditions, ranges and private buckets are its own. Installs what is missing as root, else throws it. */
export async function startSwift(
  folder: string,
): Promise<{ version: string; env: Record<string, string>; stop(): Promise<void> }> {
  installPackages(() => PACKAGES.filter((name) => !existsSync(`/usr/bin/${name}-server`)));

  const devices = path.join(folder, 'devices');
  for (const one of [folder, devices, path.join(devices, 'd1')]) {
    await mkdir(one, { recursive: true, mode: 0o755 });
    if (UNPRIVILEGED.uid) await chown(one, UNPRIVILEGED.uid, UNPRIVILEGED.gid as number);
  }
  const ports: Record<string, number> = {};
  const first = 36_000 + Math.floor(Math.random() * 4_000);
  for (const [index, name] of [...SERVERS, 'proxy'].entries())
    ports[name] = await nextFreePort(first + 20 * index);
  const bind = (name: string) => [
    '[DEFAULT]',
    'bind_ip = 127.0.0.1',
    `bind_port = ${ports[name]}`,
    `swift_dir = ${folder}`,
    `devices = ${devices}`,
    'mount_check = false',
    'workers = 0',
    `user = ${UNPRIVILEGED.uid ? 'nobody' : execFileSync('id', ['-un'], { encoding: 'utf8' }).trim()}`,
    'log_address = /nowhere',
  ];
  for (const name of SERVERS) {
    const builder = path.join(folder, `${name}.builder`);
    const ring = (...args: (string | number)[]) =>
      runCommand('swift-ring-builder', [builder, ...args.map(String)], {});
    ring('create', 4, 1, 0);
    ring('add', `r1z1-127.0.0.1:${ports[name]}/d1`, 1);
    ring('rebalance');
    const app = `[app:${name}-server]\nuse = egg:swift#${name}\nrecon_cache_path = ${folder}`;
    const lines = [...bind(name), '[pipeline:main]', `pipeline = ${name}-server`, app, ''];
    await writeFile(path.join(folder, `${name}.conf`), lines.join('\n'));
  }
  const filters = [
    '[filter:catch_errors]\nuse = egg:swift#catch_errors',
    '[filter:cache]\nuse = egg:swift#memcache\nmemcache_servers = 127.0.0.1:9',
    `[filter:s3api]\nuse = egg:swift#s3api\nlocation = ${REGION}`,
    '[filter:tempauth]\nuse = egg:swift#tempauth\nuser_test_tester = testing .admin',
    '[filter:gatekeeper]\nuse = egg:swift#gatekeeper',
    '[filter:listing_formats]\nuse = egg:swift#listing_formats',
    '[filter:bulk]\nuse = egg:swift#bulk',
    '[filter:slo]\nuse = egg:swift#slo',
    '[app:proxy-server]\nuse = egg:swift#proxy\nallow_account_management = true\naccount_autocreate = true',
  ];
  const pipeline = 'catch_errors gatekeeper cache listing_formats bulk s3api tempauth slo proxy-server';
  await writeFile(
    path.join(folder, 'proxy.conf'),
    [...bind('proxy'), '[pipeline:main]', `pipeline = ${pipeline}`, ...filters, ''].join('\n'),
  );
  runCommand('chmod', ['-R', 'a+rX', folder], {});
  const servers = [...SERVERS, 'proxy'].map((name) => {
    const child = spawn(`/usr/bin/swift-${name}-server`, [path.join(folder, `${name}.conf`)], {
      ...UNPRIVILEGED,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return { name, child, said: lastWords(child) };
  });
  const stop = async () => {
    for (const { child } of servers) await stopProcess(child, 'SIGKILL');
  };
  const endpoint = `http://127.0.0.1:${ports.proxy}`;
  const client = new S3Client({
    endpoint,
    region: REGION,
    forcePathStyle: true,
    credentials: S3_KEYS,
    maxAttempts: 1,
  });
  try {
    const ended = await until('Swift to answer', async () => {
      const gone = servers.filter(({ child }) => hasEnded(child)).map(({ name }) => name);
      if (gone.length === 0) await client.send(new CreateBucketCommand({ Bucket: 'atelier' }));
      return { gone };
    });
    if (ended.gone.length > 0) throw new Error(`Swift’s ${ended.gone.join(', ')} ended as it started.`);
  } catch (error) {
    await stop();
    const said = servers.map((server) => `${server.name}: ${tail(server.said()) || 'nothing'}`);
    throw new Error(`${wordsOf(error)} They said: ${said.join('; ')}`, { cause: error });
  }
  const version = execFileSync('dpkg-query', ['-W', '-f', '${Version}', 'swift-proxy'], { encoding: 'utf8' });
  const env = {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: 'atelier',
    S3_REGION: REGION,
    S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
    S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
    // This version answers 501 to a condition on a write.
    S3_CONDITIONAL_WRITES: '0',
  };
  return { version: `Swift ${version}`, env, stop };
}
