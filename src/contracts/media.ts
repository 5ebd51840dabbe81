/** Addresses of a file or stream with the sound, and of one with the film, that a page is about. */
export type Media = { audio?: string; video?: string }

/** Why there is no more in an answer: the program is not there, did not end in time, or could make nothing of the address. */
export type MediaFault = 'not installed' | 'too slow' | 'found none'

/** Looks behind a page whose HTML names no media. Never fails but with the signal's reason. */
export type FindMedia = (
  /** `limitMs` is how long the search may take. */
  request: { url: string; limitMs: number; signal: AbortSignal },
) => Promise<Media & { fault?: MediaFault }>
