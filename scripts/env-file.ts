import { loadEnvFiles } from '#lib/local/env-file.ts';

// The first import of every command that looks at its configuration: `.env` is in the environment before anything reads it.
loadEnvFiles();
