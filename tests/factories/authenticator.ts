import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { MadePasskey, UsedPasskey } from '#lib/identity/passkeys/schemas.ts';

const b64 = (bytes: Uint8Array | string) => Buffer.from(bytes as Uint8Array).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

type Cbor = number | string | Uint8Array | Map<Cbor, Cbor>;

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

/** What of CBOR (RFC 8949) a credential is written in. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([
    head(5, value.size),
    ...[...value].flatMap(([key, held]) => [cbor(key), cbor(held)]),
  ]);
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

type Ceremony = { challenge: string; rpId: string; origin: string };
type How = { counter?: number; verified?: boolean; userHandle?: string };

/** An authenticator in software (ES256, no attestation): makes passkeys and signs with them, as well or as badly as a test asks. */
export class Authenticator {
  readonly id = randomBytes(32);
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };
  counter = 0;
  userHandle = '';

  constructor() {
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  #data({ rpId }: Ceremony, flags: number, rest = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, rest]);
  }

  /** Answers `navigator.credentials.create`. */
  make(at: Ceremony, options: { userHandle: string }): MadePasskey {
    this.userHandle = options.userHandle;
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' }) as { x: string; y: string };
    const key = cbor(
      new Map<Cbor, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
    const length = Buffer.from([0, this.id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, key]);
    const authData = this.#data(at, PRESENT | VERIFIED | ATTESTED, credential);
    const attestation = new Map<Cbor, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return {
      id: b64(this.id),
      rawId: b64(this.id),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData('webauthn.create', at),
        attestationObject: b64(cbor(attestation)),
        transports: ['internal', 'hybrid', 'telepathy'],
      },
    };
  }

  /** Answers `navigator.credentials.get`; counts one more unless told what to count. */
  use(at: Ceremony, how: How = {}): UsedPasskey {
    this.counter = how.counter ?? this.counter + 1;
    const data = this.#data(at, PRESENT | (how.verified === false ? 0 : VERIFIED));
    const client = clientData('webauthn.get', at);
    const signed = Buffer.concat([data, sha256(Buffer.from(client, 'base64url'))]);
    return {
      id: b64(this.id),
      rawId: b64(this.id),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: client,
        authenticatorData: b64(data),
        signature: b64(sign('sha256', signed, this.#keys.privateKey)),
        userHandle: how.userHandle ?? this.userHandle,
      },
    };
  }
}

const clientData = (type: string, { challenge, origin }: Ceremony) =>
  b64(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
