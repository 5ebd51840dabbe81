/** What a language model charged, in its own tokens. */
export type ModelUsage = { inputTokens: number; outputTokens: number }

/** One question to a language model. `task` sorts usage in the books, such as `json` or `interact`. */
export type ModelRequest = {
  task: string
  teamId: string
  keyName: string | null
  /** Our own instructions. Text of web pages never stands here. */
  system: string
  /** What the model works on; text of pages is fenced by whoever writes it. */
  input: readonly ModelMessage[]
  /** `fast`: the second model, where one is set, for work that is easy and frequent. */
  effort: 'fast' | 'best'
  maxOutputTokens: number
  /** Time for everything, retries included. */
  timeoutMs: number
  signal: AbortSignal
  /** Called with the text as it comes, where the answer is text. */
  onText?: (chunk: string) => void
}

export type ModelMessage = { role: 'user' | 'assistant'; text: string }

type Answered = {
  /** The model as the provider names it. */
  model: string
  usage: ModelUsage
}
export type ModelText = Answered & { text: string; isTruncated: boolean }
export type ModelObject = Answered & {
  value: unknown
  /** The answer was cut at the limit of output: what is there obeys the schema, and more may be missing. */
  isTruncated: boolean
  jsonMode: JsonMode
}

/** How the model was held to its schema, from the firmest way to the loosest. Whatever the way, the value is checked. */
export type JsonMode = 'json_schema' | 'strict_schema' | 'tool' | 'json_object' | 'prompt'

/**
 * A language model, over whatever connection. Fails with MODEL_UNAVAILABLE where none is set, MODEL_TIMEOUT and
 * MODEL_FAILED, and with BAD_REQUEST for a schema that is none; an object that breaks its schema is never answered.
 */
export type Model = {
  /** Whether a model is set; asking costs nothing and reaches no network. */
  isSet(): boolean
  /** Tokens that input and output may have together. */
  contextTokens(effort: ModelRequest['effort']): number
  text(request: ModelRequest): Promise<ModelText>
  /** A value that obeys `schema` (JSON Schema, drafts 4 to 2020-12). */
  object(request: ModelRequest & { schema: object }): Promise<ModelObject>
}
