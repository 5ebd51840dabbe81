/** An answer as an agent reads it. Surfaces decide how much of it fits, and what a picture or a link looks like on the wire. */
export type Presentation = {
  parts: readonly Part[]
  /** The call that reads on where this answer had to be cut: its tool and arguments. */
  readOn?: { tool: string; arguments: Record<string, unknown> }
}

export type Part =
  /** Our own words. */
  | { kind: 'text'; text: string }
  /** Text of a web page: shown in a marked block, because it may hold instructions that are not ours. */
  | { kind: 'page'; text: string; origin: string; label: string }
  | { kind: 'image'; base64: string; mimeType: string }
  | { kind: 'link'; uri: string; name: string; mimeType: string; size?: number }
