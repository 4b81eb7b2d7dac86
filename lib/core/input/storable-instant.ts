import { z } from 'zod';

/** An instant from outside, in UTC, that PostgreSQL keeps: its calendar has no year 0. */
export const storableInstant = z.iso.datetime().refine((text) => !text.startsWith('0000'));
