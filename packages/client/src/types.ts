import type { operations as ContextOperations } from './generated/context.ts';
import type { operations as StudioOperations } from './generated/studio.ts';

type Operations = ContextOperations & StudioOperations;
type Id = keyof Operations;

type JsonOf<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : never;

/** What an operation answers when it succeeds. */
export type ResultOf<I extends Id> = Operations[I]['responses'] extends infer Answers
  ? {
      [Status in keyof Answers]: Status extends 200 | 201 | 202 ? JsonOf<Answers[Status]> : never;
    }[keyof Answers]
  : never;

/** The filters that an operation takes. */
export type QueryOf<I extends Id> = NonNullable<Operations[I]['parameters']['query']>;

/** The JSON that an operation is sent. */
export type BodyOf<I extends Id> = Operations[I] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

export type SpaceList = ResultOf<'listSpaces'>;
export type Space = ResultOf<'getSpace'>;
export type AddedMemory = ResultOf<'addMemory'>;
export type Memory = ResultOf<'getMemory'>;
export type Context = ResultOf<'getContext'>;
export type SearchResults = ResultOf<'search'>;
export type Quota = ResultOf<'getQuota'>;
export type ProjectList = ResultOf<'listProjects'>;
export type Generation = ResultOf<'getGeneration'>;
export type Journal = ResultOf<'listGenerations'>;
export type Wallet = ResultOf<'readWallet'>;
export type GenerationList = ResultOf<'listStudioGenerations'>;
export type FileList = ResultOf<'listFiles'>;
export type StudioFile = ResultOf<'getFile'>;
/** A request for a file, before its defaults: what may be left out is optional. */
export type GenerationRequest = BodyOf<'createGeneration'>;
