import type { Act, ActResult, Snapshot, SnapshotOptions } from './page-action.ts'
import type { RenderRequest } from './render.ts'

/** A live browser of its own, or the one behind an earlier scrape. */
export type SessionKind = 'browser' | 'interact'

/** What code is written in. `bash` runs agent-browser commands. */
export type Language = 'node' | 'python' | 'bash'
export type CodeJob = { code: string; timeoutMs: number }

/** What came of running code. Code that fails has run as well: `success` says that it was run, `error` that it failed. */
export type CodeResult = {
  success: true
  stdout: string
  /** The same as stdout; an interact answers with `lastValue` here. */
  result: string
  /** What the last expression came to, as text; null when there is none, and for bash. */
  lastValue: string | null
  stderr: string
  /** 0 = success; null when it was ended from outside. */
  exitCode: number | null
  /** It took too long. */
  killed: boolean
  error?: string
}

/** The visit of an earlier scrape, to be made again. */
export type Replay = Omit<RenderRequest, 'signal' | 'teamId' | 'reuse'>

export type SessionWish = {
  kind: SessionKind
  /** Of a session behind a scrape the id of that scrape. */
  id: string
  teamId: string
  keyName: string | null
  ttlMs: number
  /** Ends after this time without anybody doing anything. */
  activityTtlMs: number
  /** False: there is no live view of it. */
  streamWebView: boolean
  profile?: { name: string; saveChanges: boolean } | undefined
  /** Brings the session to the page state of an earlier scrape before anybody may use it. */
  replay?: Replay | undefined
}

/** Secrets of a live session: who knows one may do what it is for. */
export type SessionKeys = { cdp: string; view: string; control: string }

export type SessionFacts = {
  id: string
  kind: SessionKind
  teamId: string
  createdAt: number
  lastActivityAt: number
  /** When its ttl ends it at the latest. */
  expiresAt: number
  streamWebView: boolean
  /** Undefined once it is over, and for a session of another process. */
  keys?: SessionKeys | undefined
  /** What those who made it should know. */
  warnings?: readonly string[] | undefined
  /** Undefined while it lives. */
  endedAt?: number | undefined
}
/** Why a session ended: its caller closed it, its time was over, or its browser or its process died. */
export type EndReason = 'closed' | 'ttl' | 'activityTtl' | 'browser' | 'process'
export type SessionEnd = { durationMs: number; credits: number }

export type SessionTab = { id: string; url: string; title: string; isCurrent: boolean }
export type Picture = { base64: string; mimeType: 'image/jpeg' | 'image/png' }
/** A session as it is now. */
export type SessionState = SessionFacts & { tabs: readonly SessionTab[] }

/** Which session of which team. */
export type SessionRef = { id: string; teamId: string }

/**
 * The live browsers of this process. Whatever names a session fails with SESSION_NOT_FOUND, JOB_OF_OTHER_TEAM, or
 * SESSION_GONE when it is over. What is done in a session counts as activity; what is done in its pages happens in turn.
 */
export type Sessions = {
  /**
   * Fails with SESSION_LIMIT, SESSION_GONE when there was one with this id, BROWSER_UNAVAILABLE, PROFILE_IN_USE, and what
   * a replay fails with. Calls with the id of a live session answer that one, also while it is being made.
   */
  create(wish: SessionWish, signal: AbortSignal): Promise<SessionFacts>
  find(ref: SessionRef): Promise<SessionFacts>
  /** Newest first. */
  list(query: { teamId: string; status?: 'active' | 'destroyed' | undefined }): Promise<SessionFacts[]>
  state(ref: SessionRef, signal: AbortSignal): Promise<SessionState>
  /** Whether this machine can keep code of the language in. */
  canRun(language: Language): Promise<boolean>
  /** Fails with SANDBOX_UNAVAILABLE, and FEATURE_UNAVAILABLE for a language this machine does not have. */
  execute(ref: SessionRef, job: CodeJob & { language: Language }, signal: AbortSignal): Promise<CodeResult>
  snapshot(ref: SessionRef, options: SnapshotOptions, signal: AbortSignal): Promise<Snapshot>
  act(ref: SessionRef, acts: readonly Act[], signal: AbortSignal): Promise<ActResult>
  /** The current tab as it looks now. */
  picture(ref: SessionRef, signal: AbortSignal): Promise<Picture>
  /** Ends it, saving its profile; one that is over already answers what it came to. Waits for what runs no longer than a moment. */
  close(ref: SessionRef): Promise<SessionEnd>
  /** Where the viewers and programs of a caller reach its sessions: without a trailing slash. */
  baseUrl(callers: string): Promise<string>
  /** What the secret opens; undefined when it opens nothing (any more). */
  door(key: string): Promise<Door | undefined>
}

/** Sessions came, went, or look different now. Told at most once a second for each. */
export type SessionEvent = { kind: 'list'; teamId: string } | { kind: 'changed'; teamId: string; id: string }
export type SessionEvents = (listener: (event: SessionEvent) => void) => () => void

/** The other end of a socket. */
export type Peer = {
  send(message: string | Uint8Array): void
  /** Bytes that wait to be sent. */
  waiting(): number
  /** Reads nothing more until `resume`. */
  pause(): void
  resume(): void
  /** To be called once, in the turn in which the peer was given. */
  listen(ears: { message(data: string | Uint8Array): void; closed(): void }): void
  close(code: number, reason: string): void
}

export type Door =
  | {
      kind: 'cdp'
      /** What `/json/version` answers beside the address. */
      version: { product: string; protocolVersion: string; userAgent: string }
      /** The pages there are, as `/json/list` names them. */
      pages(): Promise<readonly { id: string; url: string; title: string }[]>
      connect(peer: Peer): Promise<void>
    }
  | {
      kind: 'view'
      role: 'view' | 'control'
      /** The document that shows the session; it opens its socket at `<its own path>/ws`. */
      page(): Promise<{ html: string; contentSecurityPolicy: string }>
      join(peer: Peer): void
    }

export const doorPaths = {
  cdp: (key: string) => `/cdp/${key}`,
  view: (key: string) => `/live/${key}`,
} as const

/** What is left of every session in the database, so that what is over stays over after a restart. */
export type SessionRecord = Omit<SessionFacts, 'keys' | 'endedAt' | 'warnings'> & {
  keyName: string | null
  endedAt: number | null
  why: EndReason | null
  credits: number
}
export type SessionRecords = {
  /** False when there is one with this id already. */
  begin(
    record: Pick<SessionRecord, 'id' | 'kind' | 'teamId' | 'keyName' | 'createdAt' | 'expiresAt' | 'streamWebView'>,
  ): Promise<boolean>
  find(id: string): Promise<SessionRecord | undefined>
  /** Newest first, at most 100. */
  list(query: { teamId: string; status?: 'active' | 'destroyed' | undefined }): Promise<SessionRecord[]>
  /** They are alive, and when something last happened in each. */
  renew(live: readonly { id: string; lastActivityAt: number }[]): Promise<void>
  /** Writes the end and its charge in one transaction; false when it was over already. */
  end(id: string, ending: { endedAt: number; why: EndReason; credits: number }): Promise<boolean>
  /** Sessions that nobody renewed since that moment, with when they were last renewed: their process is gone. */
  lost(since: number): Promise<{ id: string; createdAt: number; renewedAt: number }[]>
}
