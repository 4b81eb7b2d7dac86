import { spawnSync } from 'node:child_process';
import { planVercelBuild, UnsafeBuild } from './vercel-plan.ts';

// The build command of vercel.json: migrates what this environment may, then builds.
try {
  const { migrates, why } = planVercelBuild(process.env);
  console.log(why);
  for (const step of migrates ? ['migrate', 'build'] : ['build']) {
    const { status } = spawnSync('npm', ['run', step], { stdio: 'inherit' });
    process.exitCode = status ?? 1;
    if (status !== 0) break;
  }
} catch (error) {
  if (!(error instanceof UnsafeBuild)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
