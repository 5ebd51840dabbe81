/** Usage that a language model billed, in its own tokens. */
export type ModelUsage = { inputTokens: number; outputTokens: number }

/** One request to a language model. `task` groups usage records, such as `json` or `interact`. */
export type ModelRequest = {
  task: string
  teamId: string
  keyName: string | null
  /** Instructions of the program. They never contain text of web pages. */
  system: string
  /** The input to process; the author fences text of pages. */
  input: readonly ModelMessage[]
  /** `fast`: the second model, if one is configured, for easy and frequent work. */
  effort: 'fast' | 'best'
  maxOutputTokens: number
  /** Total time limit, retries included. */
  timeoutMs: number
  signal: AbortSignal
  /** Called with each chunk of a streamed text response. */
  onText?: (chunk: string) => void
}

export type ModelMessage = { role: 'user' | 'assistant'; text: string }

type Answered = {
  /** Name that the provider uses. */
  model: string
  usage: ModelUsage
}
export type ModelText = Answered & { text: string; isTruncated: boolean }
export type ModelObject = Answered & {
  value: unknown
  /** Paths of parts of the answer that did not fit the schema and are left out, such as `offers[0].price`. */
  unreadable?: readonly string[]
  /** True if the response was cut at the output limit: it is valid by the schema, but may be incomplete. */
  isTruncated: boolean
  jsonMode: JsonMode
}

/** Way in which the model was bound to the schema, from strictest to loosest. The value is validated in every case. */
export type JsonMode = 'json_schema' | 'strict_schema' | 'tool' | 'json_object' | 'prompt'

/**
 * A language model over any connection. Fails with MODEL_UNAVAILABLE if none is configured, MODEL_TIMEOUT,
 * MODEL_FAILED, and BAD_REQUEST for an invalid schema. Never returns an object that violates its schema.
 */
export type Model = {
  /** True if a model is configured; costs nothing and sends no request. */
  isSet(): boolean
  /** Maximum tokens of input and output together. */
  contextTokens(effort: ModelRequest['effort']): number
  text(request: ModelRequest): Promise<ModelText>
  /** Returns a value valid by `schema` (JSON Schema, drafts 4 to 2020-12). */
  object(request: ModelRequest & { schema: object }): Promise<ModelObject>
}
