/** How long each capability may take in all, retries included, in milliseconds. */
export type Budgets = {
  image: number;
  vector: number;
  voice: number;
  videoStart: number;
  /** One read of a job. */
  videoStatus: number;
  /** A finished video that comes inside that answer, once it has begun: as long as one at an address has to be fetched. */
  videoFile: number;
  cost: number;
  voiceOrigin: number;
  voiceList: number;
  voiceQuota: number;
  renderDispatch: number;
  renderStatus: number;
};

/** The specification's budgets (image, vector, voice, video start, voice origin); the reads are ours. */
export const DEFAULT_BUDGETS: Budgets = {
  image: 120_000,
  vector: 60_000,
  voice: 60_000,
  videoStart: 60_000,
  videoStatus: 20_000,
  videoFile: 60_000,
  cost: 10_000,
  voiceOrigin: 10_000,
  voiceList: 15_000,
  voiceQuota: 10_000,
  renderDispatch: 30_000,
  renderStatus: 15_000,
};
