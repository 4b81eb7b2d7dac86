import type { UndoneFix } from './undone-fixes.ts';
import { providerFix as fix, UNDONE_PROVIDER_MEDIA } from './undone-provider-media.ts';

const REFUSALS = 'tests/unit/providers/refusals.test.ts';
const GATEWAY_REQUESTS = 'tests/unit/providers/gateway/requests.test.ts';
const GATEWAY_COSTS = 'tests/unit/providers/gateway/costs.test.ts';
const GATEWAY_ANSWERS = 'tests/unit/providers/gateway/answers.test.ts';
const VOICE = 'tests/unit/providers/elevenlabs/voice.test.ts';
const RULES = 'tests/integration/studio/provider-rules.test.ts';
const CAPTIONS = 'tests/unit/studio/speech/captions.test.ts';
const IMPORT = 'tests/integration/storage/imports/import-files.test.ts';
const CHECK = 'tests/unit/providers/check.test.ts';
const LIPSYNC = 'tests/unit/providers/lipsync-refusals.test.ts';
const SETTINGS = 'lib/studio/kinds/video-settings.ts';
const WIDEST = '%s: the widest legal requests are taken';

/** Each fault of the providers' adapters that was found against their documents, undone. Shown in docs/faults/providers.md. */
export const UNDONE_PROVIDER_FIXES: readonly UndoneFix[] = [
  fix(
    ['19.1', 'the recorded services refuse nothing'],
    ['lib/providers/fixtures/refusal-rule.ts', 'refuses((request.json ?? {}) as Body, call)', 'false'],
    [
      REFUSALS,
      'nine video cases × each widest request × each refusal of its model: taken as it is, refused once it breaks a rule',
    ],
  ),
  fix(
    ['19.1', 'heavy images pass what one request may weigh'],
    ['lib/studio/references/fit-inline.ts', 'bytes.byteLength <= mostBytes', 'bytes.byteLength >= 0'],
    [RULES, 'six heavy references of an image fit in one request; a light one is sent untouched'],
  ),
  fix(
    ['19.2', 'an image of 4 to 8 MB becomes an address that Veo refuses'],
    ['lib/studio/kinds/video.ts', "!modelFor(row.params.case ?? '').imagesInBytes", 'true'],
    [RULES, 'an image of 6 MB goes to Veo as bytes that fit in a request, never as an address'],
  ),
  fix(
    ['19.2', 'a ratio is sent beside frames'],
    [SETTINGS, 'model.framesDecideRatio && (request.startImage || request.endImage)', 'false'],
    [REFUSALS, WIDEST],
  ),
  fix(
    ['19.2', 'an edit of a clip is asked a length of its own'],
    [SETTINGS, 'if (model.clipsDecideShape && request.clips?.length)', 'if (request.clips === null)'],
    [REFUSALS, WIDEST],
  ),
  fix(
    ['19.2', 'Veo with characters is asked 4 s'],
    [
      SETTINGS,
      'const seconds = model.secondsWithCharacters;',
      'const seconds = undefined as number | undefined;',
    ],
    [RULES, '%s with a character lasts 8 s, told before anything is held'],
  ),
  fix(
    ['19.2', 'FLUX is asked a ratio and no size'],
    ['lib/providers/gateway/image.ts', 'blackForestLabs: sizeOf(aspectRatio)', ''],
    [GATEWAY_REQUESTS, 'an image with references'],
  ),
  fix(
    ['19.2', 'an image of other proportions is delivered'],
    [
      'lib/studio/kinds/image.ts',
      'if (!hasRatio({ width, height }, aspectRatio, RATIO_TOLERANCE.image))',
      'if (width < 0)',
    ],
    [
      'tests/integration/studio/jobs/measured-images.test.ts',
      'an image upright where a wide one was asked is not delivered: refunded, and the loss is audited',
    ],
  ),
  fix(
    ['19.2', 'references are held as one megapixel each'],
    [
      'lib/studio/kinds/image.ts',
      'Math.max(1, Math.ceil((width * height) / MEGAPIXEL))',
      'width > 0 && height > 0 ? 1 : 0',
    ],
    [RULES, 'an image has the pixels asked by number, and its references are held by their megapixels'],
  ),
  fix(
    ['19.2', 'what no live service makes is held and sent'],
    ['lib/studio/submission/prepare.ts', "if (unserved && mode === 'live')", "if (unserved === 'never')"],
    [RULES, '%s: no live service makes it, and nothing is held'],
  ),
  fix(
    ['19.3', 'a lost start of a lipsync makes a second job'],
    ['lib/providers/lipsync/lipsync.ts', "{ 'idempotency-key': options.idempotencyKey }", '{}'],
    [
      REFUSALS,
      'a lost start of a lipsync is repeated under its key as one job; a key that is none is refused',
    ],
  ),
  fix(
    ['19.4', 'the credits of an extension are not counted'],
    ['lib/providers/elevenlabs/voice.ts', 'character_limit + (extension ?? 0)', 'character_limit'],
    [VOICE, 'the characters left of a voice account count its extension of'],
  ),
  fix(
    ['19.4', 'times of other words become captions'],
    ['lib/studio/speech/word-times.ts', "if (characters.join('') !== spoken.text) return null;", ''],
    [CAPTIONS, '%s: no captions rather than wrong ones'],
  ),
  fix(
    ['19.4', 'a word of the brand is replaced inside another'],
    ['lib/studio/speech/pronounce.ts', '(?![\\\\p{L}\\\\p{N}])`', '`'],
    [CAPTIONS, 'replace whole words only, the longest first, letter case and all'],
  ),
  fix(
    ['19.5', 'the cost with a key of our own is read as the gateway’s'],
    ['lib/providers/gateway/cost.ts', 'if (!info.is_byok) return', 'if (info) return'],
    [GATEWAY_COSTS, 'is %s'],
  ),
  fix(
    ['19.5', 'nobody is told to the gateway as who spends'],
    ['lib/providers/gateway/client.ts', '{ user: accountId }', '{}'],
    [
      GATEWAY_REQUESTS,
      'the account that spends, by its identifier, and the case; never an address nor a name',
    ],
  ),
  fix(
    ['19.6', 'a service that is absent is asked all the same'],
    ['lib/studio/submission/prepare.ts', "if (mode !== 'absent') return;", 'if (mode) return;'],
    [
      'tests/integration/studio/absent-services.test.ts',
      '%s: not_configured before any row, reserve or call',
    ],
  ),
  fix(
    ['19.8', 'an import takes a product of nobody'],
    [
      'lib/storage/imports/import-files.ts',
      'if (!findProduct(names.accountId, productId))',
      "if (productId === '')",
    ],
    [
      IMPORT,
      'are all refused for one fault, told by line and field; a dry run says the same and writes nothing',
    ],
  ),
  fix(
    ['19.9', 'a mode of Kling is taken for a resolution'],
    ['lib/providers/gateway/listed-prices.ts', 'if (wanted.hasModes && rate.mode)', 'if (!wanted)'],
    [
      CHECK,
      'prices that the gateway lists are set beside the table: what is the same, what differs, what it does not say',
    ],
  ),
  fix(
    ['19.3', 'a lipsync start repeated later is another job'],
    [
      'lib/providers/fixtures/recorded-request.ts',
      'const known = memory.get(key);',
      'const known = undefined as Remembered | undefined;',
    ],
    [
      REFUSALS,
      'a lost start of a lipsync is repeated under its key as one job; a key that is none is refused',
    ],
  ),
  fix(
    ['19.3', 'another body under the key of a start is the first one’s job'],
    [
      'lib/providers/fixtures/recorded-request.ts',
      'known.digest !== digestOf(request)',
      "known.digest === ''",
    ],
    [REFUSALS, '$id: what the service refuses is refused ($source)'],
  ),
  fix(
    ['19.3', 'what a validation lists is not read'],
    ['lib/providers/transport-status.ts', 'Array.isArray(value) ? value : [value]', '[value]'],
    [LIPSYNC, 'what its validation finds may be a list of sentences: all of them are told, and judged'],
  ),
  fix(
    ['19.4', 'a voice account without a cap is told as used up'],
    ['lib/providers/elevenlabs/schemas.ts', "z.literal('unlimited')", "z.literal('none')"],
    [VOICE, 'a voice account without a cap goes on beyond its limit, and is told so'],
  ),
  fix(
    ['19.5', 'what the gateway took beside a key of our own is read as the price'],
    [
      'lib/providers/gateway/client.ts',
      "success === true && credentialType === 'byok'",
      "success === true && credentialType === 'none'",
    ],
    [GATEWAY_COSTS, 'is its price, where it %s: %j, %s'],
  ),
  fix(
    ['19.5', 'what a video took that ended without a file is not told'],
    [
      'lib/providers/gateway/video.ts',
      'costMicros > 0n ? { paid: true, costMicros, ...identity } : identity',
      'costMicros < 0n ? { paid: true, costMicros, ...identity } : identity',
    ],
    [
      GATEWAY_ANSWERS,
      'a video that ended as « %s » (%s) was paid for where its answer tells a price, and only there',
    ],
  ),
  fix(
    ['19.5', 'a second model is asked for work that may have begun'],
    [
      'lib/studio/kinds/fallback.ts',
      "return retrySafe === 'surely-not-sent' && (status === 429 || status === 503);",
      'return true;',
    ],
    ['tests/unit/studio/kinds/fallback.test.ts', 'never after %s'],
  ),
  fix(
    ['19.5', 'a crash debits the dearer model, whichever ran'],
    [
      'lib/studio/lifecycle/decide.ts',
      'expectedMicros === undefined ? row.heldMicros : BigInt(expectedMicros)',
      'row.heldMicros',
    ],
    [
      'tests/integration/studio/fallback.test.ts',
      'with the file of %s in the store: its model’s price is debited',
    ],
  ),
  ...UNDONE_PROVIDER_MEDIA,
  fix(
    ['19.12', 'a start that a gateway in between ended for time is given up'],
    [
      'lib/providers/transport.ts',
      "failure.reason === 'timeout' && failure.status === undefined",
      "failure.reason === 'timeout'",
    ],
    ['tests/unit/providers/transport.test.ts', 'leaves ours: asked again where a repeat is harmless'],
  ),
  fix(
    ['19.12', 'the cost of another generation is debited'],
    ['lib/providers/gateway/cost.ts', 'if (id !== gatewayGenerationId)', "if (id === '')"],
    [GATEWAY_COSTS, 'of another generation is none of the one that was asked about'],
  ),
  fix(
    ['19.12', 'a voice that is listed twice is offered twice'],
    [
      'lib/providers/elevenlabs/voice.ts',
      'voices.set(voice.data.voice_id,',
      'voices.set(String(voices.size),',
    ],
    [
      VOICE,
      'ElevenLabs: a page that is answered twice lists nobody twice, and one that follows itself is the last',
    ],
  ),
];
