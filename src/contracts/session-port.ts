import type { SessionAction, ActionsResult, Snapshot, SnapshotOptions, RenderRequest } from './render-port.ts'
import type { OfTeam } from './page-content.ts'

/** A browser opened directly, or the one behind an earlier scrape. */
export const sessionKinds = ['browser', 'interact'] as const
export type SessionKind = (typeof sessionKinds)[number]

/** `bash` runs agent-browser commands. */
export type Language = 'node' | 'python' | 'bash'
export type CodeJob = { code: string; timeoutMs: number }

/** `success`: the code was run, even if it failed; `error` is then the reason. */
export type CodeResult = {
  success: true
  stdout: string
  /** Same as stdout; for an interact call, `lastValue`. */
  result: string
  /** Value of the last expression as text; null when there is none, and for bash. */
  lastValue: string | null
  stderr: string
  /** 0 = success; null when the code was killed. */
  exitCode: number | null
  /** True if it exceeded its time limit. */
  killed: boolean
  error?: string
}

/** The page visit of an earlier scrape, to be repeated. */
export type Replay = Omit<RenderRequest, 'signal' | 'teamId' | 'reuse'>

export type SessionRequest = {
  kind: SessionKind
  /** Id of the scrape, if the session was opened by one. */
  id: string
  teamId: string
  keyName: string | null
  ttlMs: number
  /** The session ends after this time without activity. */
  activityTtlMs: number
  /** False: the session has no live view. */
  streamWebView: boolean
  /** True: opens on the display of this machine, which must have one. */
  isInWindow?: boolean | undefined
  profile?: { name: string; saveChanges: boolean } | undefined
  /** Restores the page state of an earlier scrape before the session can be used. */
  replay?: Replay | undefined
}

/** Secrets in the URLs of a live session: each grants access to its endpoint. */
export type SessionSecrets = {
  /** Absent once a stored secret was typed in the session. */
  cdp?: string | undefined
  view: string
  control: string
}

export type SessionInfo = {
  id: string
  kind: SessionKind
  teamId: string
  createdAt: number
  lastActivityAt: number
  /** Time at which the session ends, ms since the epoch. */
  expiresAt: number
  streamWebView: boolean
  /** Undefined once the session has ended, and for a session of another process. */
  secrets?: SessionSecrets | undefined
  /** Warnings for the caller that created it. */
  warnings?: readonly string[] | undefined
  /** Undefined while the session is open. */
  endedAt?: number | undefined
}
/** Why a session ended: closed by its caller, a time limit, its browser or process died, or its team was stopped. */
export const endReasons = ['closed', 'ttl', 'activityTtl', 'browser', 'process', 'stopped'] as const
export type EndReason = (typeof endReasons)[number]
export type SessionEnd = { durationMs: number; credits: number }

export type SessionTab = { id: string; url: string; title: string; isCurrent: boolean }
export type Screenshot = { base64: string; mimeType: 'image/jpeg' | 'image/png' }
/** `doing`: the current act, in the words that the live view shows. */
export type SessionState = SessionInfo & { tabs: readonly SessionTab[]; doing?: string | undefined }

export type SessionRef = { id: string; teamId: string }

/**
 * Limits of waiting for people in the live view: until they answer, or for a limited time while someone who may act is
 * watching.
 */
export type AskUntil = 'answered' | 'watched'

/** Rules about where the tabs of a session may go, and which frames may be read and acted in. */
export type SessionBounds = {
  /** True if a tab may load a URL. Called for each of its documents, before the request is sent. */
  mayVisit(url: string): boolean | Promise<boolean>
  /** True if a frame of another origin may be read and acted in, by the URL of its document. */
  mayEnter(url: string): boolean
  /** Main domains of the allowed URLs; for hosts without a main domain, host and port. */
  readonly sites: readonly string[]
}
export type Confinement = {
  /** URLs that were refused since the last call. */
  takeRefused(): Promise<readonly string[]>
  lift(): Promise<void>
}

/**
 * Live browsers of this server and of the servers that share its database. Each call that takes a SessionRef fails
 * with SESSION_NOT_FOUND, JOB_OF_OTHER_TEAM, or SESSION_GONE once the session has ended. Calls count as activity;
 * calls that act on pages run one after the other.
 */
export type Sessions = {
  /**
   * Fails with SESSION_LIMIT, BROWSER_UNAVAILABLE, PROFILE_IN_USE, the errors of a replay, and SESSION_GONE if a
   * session with this id has ended. Returns the existing session if one with this id is open or opening.
   */
  create(request: SessionRequest, signal: AbortSignal): Promise<SessionInfo>
  find(ref: SessionRef): Promise<SessionInfo>
  /** Newest first. */
  list(query: { teamId: string; status?: 'active' | 'destroyed' | undefined }): Promise<SessionInfo[]>
  state(ref: SessionRef, signal: AbortSignal): Promise<SessionState>
  /** True if this machine has a sandbox for the language. */
  canRun(language: Language, teamId: string): Promise<boolean>
  /** Fails with SANDBOX_UNAVAILABLE, or with FEATURE_UNAVAILABLE if the language is not installed. */
  execute(ref: SessionRef, job: CodeJob & { language: Language }, signal: AbortSignal): Promise<CodeResult>
  snapshot(ref: SessionRef, options: SnapshotOptions, signal: AbortSignal): Promise<Snapshot>
  act(ref: SessionRef, actions: readonly SessionAction[], signal: AbortSignal): Promise<ActionsResult>
  /**
   * Restricts navigation until lifted: a refused document is not requested, no matter who started the navigation. Frames of
   * other origins load, but only permitted ones are read and acted in.
   */
  confine(ref: SessionRef, bounds: SessionBounds, signal: AbortSignal): Promise<Confinement>
  /** Shows a line of text to the viewers of the live view, if there are any. */
  announce(ref: SessionRef, text: string): Promise<void>
  /**
   * Asks the people in the live view a question. `waiting`: no answer yet; the question stays visible, and the same
   * call again returns an answer given meanwhile. The session counts as in use until there is an answer.
   */
  askViewers(
    ref: SessionRef,
    request: { message: string; until: AskUntil },
    signal: AbortSignal,
  ): Promise<'done' | 'declined' | 'waiting'>
  /** A file that a page downloaded. Fails with SESSION_NOT_FOUND if there is no file of that id. */
  file(ref: SessionRef, id: string): Promise<{ name: string; mediaType: string; base64: string }>
  /** Picture of the viewport of the current tab. */
  screenshot(ref: SessionRef, signal: AbortSignal): Promise<Screenshot>
  /**
   * Ends the session and saves its profile; for an ended session, returns its duration and credits. Aborts running
   * calls.
   */
  close(ref: SessionRef): Promise<SessionEnd>
  /**
   * Base URL of the session endpoints for a caller that reached this server at `callerBaseUrl` ('': not over HTTP).
   * Without a trailing slash.
   */
  baseUrl(callerBaseUrl: string): Promise<string>
  /** The endpoint for a secret; undefined if the secret is unknown or the session has ended. */
  endpoint(secret: string): Promise<(SessionEndpoint & OfTeam) | undefined>
}

/**
 * `list`: sessions of a team were opened or ended, or (null) events of any session may have been missed. `changed`: a
 * session looks different; emitted at most once a second per session.
 */
export type SessionEvent = { kind: 'list'; teamId: string | null } | { kind: 'changed'; teamId: string; id: string }
export type SessionEvents = (listener: (event: SessionEvent) => void) => () => void

/** A WebSocket to a client. */
export type ClientSocket = {
  send(message: string | Uint8Array): void
  /** Bytes that are not sent yet. */
  bufferedBytes(): number
  /** Stops reading until `resume`. */
  pause(): void
  resume(): void
  /** Call this once, synchronously after receiving the socket; otherwise messages are lost. */
  listen(callbacks: { message(data: string | Uint8Array): void; closed(): void }): void
  close(code: number, reason: string): void
}

export type SessionEndpoint =
  | {
      kind: 'cdp'
      /** Answer to `/json/version`. */
      version: { product: string; protocolVersion: string; userAgent: string }
      /** Answer to `/json/list`. */
      pages(): Promise<readonly { id: string; url: string; title: string }[]>
      connect(socket: ClientSocket): Promise<void>
    }
  | {
      kind: 'view'
      role: 'view' | 'control'
      /** HTML document that shows the session; it opens its socket at `<its own path>/ws`. */
      page(): Promise<{ html: string; contentSecurityPolicy: string }>
      join(socket: ClientSocket): void
      /** A file that a page downloaded. Fails with SESSION_NOT_FOUND if there is no file of that id. */
      file(id: string): { name: string; mediaType: string; base64: string }
    }

export const endpointPaths = {
  cdp: (key: string) => `/cdp/${key}`,
  view: (key: string) => `/live/${key}`,
} as const

/** Database row of a session; an ended session stays ended after a restart. */
export type SessionRecord = Omit<SessionInfo, 'secrets' | 'endedAt' | 'warnings'> & {
  keyName: string | null
  /** The server that runs the session, if several share the database. */
  nodeId: string | null
  endedAt: number | null
  why: EndReason | null
  credits: number
}
export type SessionRecords = {
  /** False if the id is taken. */
  create(
    record: Pick<
      SessionRecord,
      'id' | 'kind' | 'teamId' | 'keyName' | 'createdAt' | 'expiresAt' | 'streamWebView' | 'nodeId'
    >,
  ): Promise<boolean>
  find(id: string): Promise<SessionRecord | undefined>
  /** Newest first, at most 100. */
  list(query: { teamId: string; status?: 'active' | 'destroyed' | undefined }): Promise<SessionRecord[]>
  /**
   * Heartbeat: marks these sessions as alive, with the time of their last activity, and a later end if they were
   * extended.
   */
  renew(live: readonly { id: string; lastActivityAt: number; expiresAt?: number | undefined }[]): Promise<void>
  /** Writes the end and its charge in one transaction; false if the session had already ended. */
  end(id: string, ending: { endedAt: number; why: EndReason; credits: number }): Promise<boolean>
  /** Open sessions without a heartbeat since `since`, or whose server has no lease: their process is gone. */
  lost(since: number): Promise<{ id: string; createdAt: number; renewedAt: number }[]>
}
