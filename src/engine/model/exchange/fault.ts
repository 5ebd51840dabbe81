import { type AppError, failure } from '../../../kernel/error.ts'

/** Message and advice for each fault. These texts contain nothing that the server or the model returned. */
const kinds = {
  refused: { message: 'The model server refused the request.' },
  'input too long': {
    message: 'The input is longer than the language model accepts.',
    hint: 'Call again with less input, or ask the operator to set GOSSAMER_MODEL_CONTEXT_TOKENS to the limit of the model.',
  },
  'bad key': {
    message: 'The model server does not accept the key.',
    hint: 'Ask the operator to check GOSSAMER_MODEL_KEY.',
  },
  'not found': {
    message: 'The model server does not know the model, or the URL is wrong.',
    hint: 'Ask the operator to check GOSSAMER_MODEL and GOSSAMER_MODEL_URL.',
  },
  'no credit': {
    message: 'The quota of the model key is used up.',
    hint: 'Ask the operator to check the account behind GOSSAMER_MODEL_KEY.',
  },
  busy: { message: 'The model server is busy.', hint: 'Wait a little, then call again.' },
  broken: { message: 'The model server failed.' },
  unreachable: {
    message: 'The model server cannot be reached.',
    hint: 'Ask the operator to check GOSSAMER_MODEL_URL and that the server runs.',
  },
  'cut off': { message: 'The model server closed the connection before its answer was complete.' },
  unreadable: { message: 'The answer of the model server cannot be read.' },
  redirect: {
    message: 'The model server answered with a redirect, which is not followed.',
    hint: 'Ask the operator to set GOSSAMER_MODEL_URL to its target.',
  },
  'too large': { message: 'The answer of the model server is too large.' },
  declined: {
    message: 'The language model declined to answer.',
    hint: 'Call again with other words or another page.',
  },
  empty: { message: 'The language model returned an empty answer.' },
  'off schema': {
    message: 'The answer of the language model does not match the schema.',
    hint: 'Call again, perhaps with a simpler schema, or ask the operator to set another GOSSAMER_MODEL.',
  },
} as const satisfies Record<string, { message: string; hint?: string }>

export type FaultKind = keyof typeof kinds
type Facts = {
  status?: number
  /** Error code of the provider. */
  code?: string | undefined
  /** Pause in ms requested by the server. */
  pauseMs?: number | undefined
  /** Error message of the server, evaluated internally and never passed on. */
  message?: string
  /** Schema locations that the answer violated. */
  rules?: readonly string[]
}

/** Transient faults, after which the same request may succeed. */
const transient: readonly FaultKind[] = ['busy', 'broken', 'unreachable', 'cut off', 'unreadable']

/** Reason why a request to the model failed. */
export class ModelFault extends Error {
  override readonly name = 'ModelFault'
  readonly kind: FaultKind
  readonly facts: Facts

  constructor(kind: FaultKind, facts: Facts = {}, cause?: unknown) {
    super(kind, { cause })
    this.kind = kind
    this.facts = facts
  }

  get isTransient(): boolean {
    return transient.includes(this.kind)
  }

  toFailure(): AppError {
    const { status, code, rules, pauseMs } = this.facts
    const { message, ...advice } = kinds[this.kind]
    const wait = pauseMs === undefined ? '' : ` It asks to wait ${Math.ceil(pauseMs / 1000)} s.`
    return failure('MODEL_FAILED', {
      message: `${message}${wait}`,
      ...advice,
      details: {
        reason: this.kind,
        ...(status !== undefined && { status }),
        ...(code !== undefined && { code }),
        ...(rules !== undefined && { rules }),
      },
      cause: this.cause,
    })
  }
}
