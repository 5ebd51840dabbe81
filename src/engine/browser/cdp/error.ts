/** Why a session ended: its page was closed or crashed, or the browser is gone. */
export type SessionEnd = 'detached' | 'crashed' | 'closed'

const endReasons: Record<SessionEnd, string> = {
  detached: 'the page was closed',
  crashed: 'the page crashed',
  closed: 'the connection to the browser was closed',
}

/** A call that the browser refused (`why` is `refused`, with a code) or can no longer answer. The message may hold text of a page: use it in logs and causes only. */
export class CdpError extends Error {
  override readonly name = 'CdpError'
  readonly why: SessionEnd | 'refused'
  readonly method: string
  readonly code: number | undefined

  private constructor(why: SessionEnd | 'refused', method: string, message: string, code?: number) {
    super(`${method}: ${message}`)
    this.why = why
    this.method = method
    this.code = code
  }

  static refused(method: string, error: { code: number; message: string }): CdpError {
    return new CdpError('refused', method, error.message, error.code)
  }

  static ended(method: string, why: SessionEnd): CdpError {
    return new CdpError(why, method, endReasons[why])
  }
}
