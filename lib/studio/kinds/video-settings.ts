import { type Problem, ServiceError } from '#lib/core/errors.ts';
import { plural } from '#lib/core/text/plural.ts';
import type { ModelEntry, ReferenceRule } from '#lib/providers/models/entry.ts';
import type { RequestOf } from '../request.ts';
import { choiceProblem, refuseInvalid } from './checks.ts';

const decimals = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });
const inSeconds = (ms: number) => `${decimals.format(ms / 1_000)}\u00a0s`;

/** The settings of a video once the model's own were applied. */
export type VideoSettings = {
  durationSeconds: number | undefined;
  aspectRatio: string | undefined;
  resolution: string | undefined;
  generateAudio: boolean;
};

/**
 * Checks every setting and the number of references against the model. Throws `invalid` with the detail of the spec:
 * `durationSeconds`, `aspectRatio`, `resolution`, `generateAudio`, `frames-and-references`, `character`, `clip`.
 */
export function videoSettings(request: RequestOf<'video'>, model: ModelEntry): VideoSettings {
  const { limits } = model;
  refuseInvalid('durationSeconds', durationProblems(request.durationSeconds, limits.durationsSeconds));
  refuseInvalid('aspectRatio', choiceProblem('aspectRatio', request.aspectRatio, limits.aspectRatios));
  refuseInvalid('resolution', choiceProblem('resolution', request.resolution, limits.resolutions));
  const audio = limits.audio ?? 'choice';
  if (
    request.generateAudio !== undefined &&
    audio !== 'choice' &&
    request.generateAudio !== (audio === 'always')
  )
    refuseInvalid('generateAudio', [
      {
        field: 'generateAudio',
        message: audio === 'always' ? 'Ce modèle fait toujours le son.' : 'Ce modèle ne fait pas de son.',
      },
    ]);
  checkRoles(request, model);
  const given = shapeOfReferences(request, model);
  if (given.ratio && request.aspectRatio !== undefined)
    refuseInvalid('aspectRatio', [{ field: 'aspectRatio', message: given.ratio }]);
  const { seconds } = given;
  if (seconds && request.durationSeconds !== undefined && request.durationSeconds !== seconds.value)
    refuseInvalid('durationSeconds', [{ field: 'durationSeconds', message: seconds.message }]);
  return {
    durationSeconds: seconds ? seconds.value : (request.durationSeconds ?? limits.durationsSeconds?.[0]),
    aspectRatio: given.ratio ? undefined : (request.aspectRatio ?? limits.aspectRatios?.[0]),
    resolution: request.resolution ?? limits.resolutions?.[0],
    generateAudio: audio === 'choice' ? (request.generateAudio ?? true) : audio === 'always',
  };
}

type GivenShape = {
  /** Why a ratio cannot be asked. */
  ratio?: string;
  /** The one duration that there can be; without a value, the clip's own. */
  seconds?: { value: number | undefined; message: string };
};

/** What the references decide of the shape in the place of whoever asks. */
function shapeOfReferences(request: RequestOf<'video'>, model: ModelEntry): GivenShape {
  if (model.clipsDecideShape && request.clips?.length)
    return {
      ratio: 'Avec un clip, le format est le sien\u00a0: retirez ce réglage.',
      seconds: {
        value: undefined,
        message: 'Avec un clip, la durée est la sienne\u00a0: retirez ce réglage.',
      },
    };
  const seconds = model.secondsWithCharacters;
  return {
    ...(model.framesDecideRatio && (request.startImage || request.endImage)
      ? { ratio: 'Avec une image de début ou de fin, le format est le sien\u00a0: retirez ce réglage.' }
      : {}),
    ...(seconds && request.characters?.length
      ? { seconds: { value: seconds, message: `Avec un personnage, ce modèle fait ${seconds} s.` } }
      : {}),
  };
}

function durationProblems(asked: number | undefined, offered: readonly number[] | undefined): Problem[] {
  const field = 'durationSeconds';
  if (asked === undefined) return [];
  if (!offered)
    return [
      { field, message: 'La durée est celle du clip fourni\u00a0: ce modèle n’en demande pas d’autre.' },
    ];
  if (offered.includes(asked)) return [];
  return [{ field, message: `Durées possibles, en secondes\u00a0: ${offered.join(', ')}.` }];
}

function checkRoles(request: RequestOf<'video'>, model: ModelEntry): void {
  const rules = model.references ?? {};
  const frames = [request.startImage, request.endImage].filter((ref) => ref !== undefined).length;
  const characters = request.characters?.length ?? 0;
  const clips = request.clips?.length ?? 0;
  const both = 'frames-and-references';
  if (model.framesExcludeReferences && frames > 0 && characters + clips > 0)
    refuseInvalid(both, [
      {
        field: request.startImage ? 'startImage' : 'endImage',
        message: 'Ce modèle n’accepte pas à la fois des images de début ou de fin et d’autres références.',
      },
    ]);
  if (request.startImage && !rules['start-image'])
    refuseInvalid(both, [{ field: 'startImage', message: 'Ce modèle n’accepte pas d’image de début.' }]);
  if (request.endImage && !rules['end-image'])
    refuseInvalid(both, [{ field: 'endImage', message: 'Ce modèle n’accepte pas d’image de fin.' }]);
  if (request.endImage && !request.startImage)
    refuseInvalid(both, [{ field: 'endImage', message: 'Une image de fin demande une image de début.' }]);
  refuseInvalid('character', countProblems('characters', characters, rules.character, 'personnage'));
  refuseInvalid('clip', countProblems('clips', clips, rules.clip, 'clip'));
}

function countProblems(
  field: string,
  count: number,
  rule: ReferenceRule | undefined,
  word: string,
): Problem[] {
  if (!rule) return count > 0 ? [{ field, message: `Ce modèle n’accepte pas de ${word}.` }] : [];
  if (count < rule.min)
    return [{ field, message: `Ce modèle demande au moins ${rule.min} ${plural(rule.min, word)}.` }];
  if (count > rule.max)
    return [{ field, message: `Ce modèle accepte au plus ${rule.max} ${plural(rule.max, word)}.` }];
  return [];
}

/** Refuses clips whose durations add up to more than the model reads. */
export function checkTotalDuration(
  clips: readonly { ref: string; durationMs: number }[],
  rule: ReferenceRule | undefined,
): void {
  const total = clips.reduce((sum, clip) => sum + clip.durationMs, 0);
  if (rule?.maxTotalMs === undefined || total <= rule.maxTotalMs) return;
  const last = clips.at(-1);
  throw new ServiceError('reference-refused', {
    detail: 'clip-too-long',
    // Rounded up: what is a little too long never reads as what is allowed.
    message: `Les clips durent ${inSeconds(Math.ceil(total / 100) * 100)} en tout, il en faut au plus ${inSeconds(rule.maxTotalMs)}.`,
    ...(last ? { subject: last.ref } : {}),
  });
}
