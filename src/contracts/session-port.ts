import type { SessionAction, ActionsResult, Snapshot, SnapshotOptions, RenderRequest } from './render-port.ts'
import type { OfTeam } from './page-content.ts'

/** A browser opened by itself, or the one behind an earlier scrape. */
export const sessionKinds = ['browser', 'interact'] as const
export type SessionKind = (typeof sessionKinds)[number]

/** `bash` runs agent-browser commands. */
export type Language = 'node' | 'python' | 'bash'
export type CodeJob = { code: string; timeoutMs: number }

/** `success` says that the code was run; code that fails was run too, and `error` says why it failed. */
export type CodeResult = {
  success: true
  stdout: string
  /** The same as stdout; an interact answers with `lastValue` here. */
  result: string
  /** Value of the last expression as text; null when there is none, and for bash. */
  lastValue: string | null
  stderr: string
  /** 0 = success; null when the code was killed. */
  exitCode: number | null
  /** It ran into its time limit. */
  killed: boolean
  error?: string
}

/** The page visit of an earlier scrape, to repeat. */
export type Replay = Omit<RenderRequest, 'signal' | 'teamId' | 'reuse'>

export type SessionRequest = {
  kind: SessionKind
  /** Of a session behind a scrape: the id of that scrape. */
  id: string
  teamId: string
  keyName: string | null
  ttlMs: number
  /** The session ends after this time without activity. */
  activityTtlMs: number
  /** False: it has no live view. */
  streamWebView: boolean
  /** On the display of this machine, which must have one. */
  isInWindow?: boolean | undefined
  profile?: { name: string; saveChanges: boolean } | undefined
  /** Restores the page state of an earlier scrape before the session can be used. */
  replay?: Replay | undefined
}

/** Secrets in the URLs of a live session: whoever knows one may use that endpoint. */
export type SessionSecrets = { cdp: string; view: string; control: string }

export type SessionInfo = {
  id: string
  kind: SessionKind
  teamId: string
  createdAt: number
  lastActivityAt: number
  /** When its ttl ends it. */
  expiresAt: number
  streamWebView: boolean
  /** Undefined once it has ended, and for a session of another process. */
  secrets?: SessionSecrets | undefined
  /** For whoever created it. */
  warnings?: readonly string[] | undefined
  /** Undefined while it is open. */
  endedAt?: number | undefined
}
/** Why a session ended: closed by its caller, a time limit, or its browser or process died. */
export const endReasons = ['closed', 'ttl', 'activityTtl', 'browser', 'process'] as const
export type EndReason = (typeof endReasons)[number]
export type SessionEnd = { durationMs: number; credits: number }

export type SessionTab = { id: string; url: string; title: string; isCurrent: boolean }
export type Screenshot = { base64: string; mimeType: 'image/jpeg' | 'image/png' }
export type SessionState = SessionInfo & { tabs: readonly SessionTab[] }

export type SessionRef = { id: string; teamId: string }

/**
 * How long people are asked in the live view: until they have answered; or, while one who may act is watching, for a while.
 */
export type AskUntil = 'answered' | 'watched'

/** Where the tabs of a session may go, and what in them may be read and acted in. */
export type SessionBounds = {
  /** Whether a tab may go to a URL. Asked for each of its documents, before it is requested. */
  mayVisit(url: string): boolean | Promise<boolean>
  /** Whether a frame of another origin may be read and acted in, by the URL of its document. */
  mayEnter(url: string): boolean
  /** Main domains, and hosts with their ports that have none, of the URLs for which that is true. */
  readonly sites: readonly string[]
}
export type Confinement = {
  /** URLs that were refused since the last call. */
  takeRefused(): Promise<readonly string[]>
  lift(): Promise<void>
}

/**
 * The live browsers of this server, and of those that share its database. Each call that takes a SessionRef fails with SESSION_NOT_FOUND, JOB_OF_OTHER_TEAM, or
 * SESSION_GONE once the session has ended. Calls count as activity; those that act on pages run one after the other.
 */
export type Sessions = {
  /**
   * Fails with SESSION_LIMIT, SESSION_GONE when a session with this id has ended, BROWSER_UNAVAILABLE, PROFILE_IN_USE, and
   * the errors of a replay. With the id of a session that is open or opening it returns that one.
   */
  create(request: SessionRequest, signal: AbortSignal): Promise<SessionInfo>
  find(ref: SessionRef): Promise<SessionInfo>
  /** Newest first. */
  list(query: { teamId: string; status?: 'active' | 'destroyed' | undefined }): Promise<SessionInfo[]>
  state(ref: SessionRef, signal: AbortSignal): Promise<SessionState>
  /** Whether this machine has a sandbox for the language. */
  canRun(language: Language, teamId: string): Promise<boolean>
  /** Fails with SANDBOX_UNAVAILABLE, and FEATURE_UNAVAILABLE where the language is not installed. */
  execute(ref: SessionRef, job: CodeJob & { language: Language }, signal: AbortSignal): Promise<CodeResult>
  snapshot(ref: SessionRef, options: SnapshotOptions, signal: AbortSignal): Promise<Snapshot>
  act(ref: SessionRef, actions: readonly SessionAction[], signal: AbortSignal): Promise<ActionsResult>
  /**
   * Until it is lifted, tabs go only where they may, whoever or whatever sends them; what is refused is not requested. Frames
   * of other origins load, but only those that may be entered are read and acted in.
   */
  confine(ref: SessionRef, bounds: SessionBounds, signal: AbortSignal): Promise<Confinement>
  /** Shows a line to the viewers of the live view, if there are any. */
  announce(ref: SessionRef, text: string): Promise<void>
  /**
   * Asks the people in the live view for something. `waiting`: nobody has answered; it stays shown, and who asks for the
   * same again gets what was answered meanwhile. The session counts as in use until there is an answer.
   */
  askViewers(
    ref: SessionRef,
    request: { message: string; until: AskUntil },
    signal: AbortSignal,
  ): Promise<'done' | 'declined' | 'waiting'>
  /** A file that a page gave. Fails with SESSION_NOT_FOUND when there is none of that id. */
  file(ref: SessionRef, id: string): Promise<{ name: string; mediaType: string; base64: string }>
  /** The viewport of the current tab. */
  screenshot(ref: SessionRef, signal: AbortSignal): Promise<Screenshot>
  /** Ends the session and saves its profile; for one that has ended, returns its duration and credits. Running calls are aborted. */
  close(ref: SessionRef): Promise<SessionEnd>
  /** Base URL of the session endpoints for a caller who reached us at this URL; '' = not over HTTP. No trailing slash. */
  baseUrl(callerBaseUrl: string): Promise<string>
  /** The endpoint that a secret opens; undefined for an unknown secret and once the session has ended. */
  endpoint(secret: string): Promise<(SessionEndpoint & OfTeam) | undefined>
}

/**
 * Sessions of a team opened or ended, or (null) events of any session may have been missed; or one looks different,
 * emitted at most once a second for each.
 */
export type SessionEvent = { kind: 'list'; teamId: string | null } | { kind: 'changed'; teamId: string; id: string }
export type SessionEvents = (listener: (event: SessionEvent) => void) => () => void

/** A WebSocket to a client. */
export type ClientSocket = {
  send(message: string | Uint8Array): void
  /** Bytes not sent yet. */
  bufferedBytes(): number
  /** Stops reading until `resume`. */
  pause(): void
  resume(): void
  /** Call once, synchronously after receiving the socket, or messages are lost. */
  listen(callbacks: { message(data: string | Uint8Array): void; closed(): void }): void
  close(code: number, reason: string): void
}

export type SessionEndpoint =
  | {
      kind: 'cdp'
      /** For `/json/version`. */
      version: { product: string; protocolVersion: string; userAgent: string }
      /** For `/json/list`. */
      pages(): Promise<readonly { id: string; url: string; title: string }[]>
      connect(socket: ClientSocket): Promise<void>
    }
  | {
      kind: 'view'
      role: 'view' | 'control'
      /** The document that shows the session; it opens its socket at `<its own path>/ws`. */
      page(): Promise<{ html: string; contentSecurityPolicy: string }>
      join(socket: ClientSocket): void
    }

export const endpointPaths = {
  cdp: (key: string) => `/cdp/${key}`,
  view: (key: string) => `/live/${key}`,
} as const

/** The database row of a session: one that has ended stays ended after a restart. */
export type SessionRecord = Omit<SessionInfo, 'secrets' | 'endedAt' | 'warnings'> & {
  keyName: string | null
  /** The server that holds it, where several share the database. */
  nodeId: string | null
  endedAt: number | null
  why: EndReason | null
  credits: number
}
export type SessionRecords = {
  /** False when the id is taken. */
  create(
    record: Pick<
      SessionRecord,
      'id' | 'kind' | 'teamId' | 'keyName' | 'createdAt' | 'expiresAt' | 'streamWebView' | 'nodeId'
    >,
  ): Promise<boolean>
  find(id: string): Promise<SessionRecord | undefined>
  /** Newest first, at most 100. */
  list(query: { teamId: string; status?: 'active' | 'destroyed' | undefined }): Promise<SessionRecord[]>
  /** Heartbeat: these sessions are alive, with the time of their last activity, and a later end if they were given one. */
  renew(live: readonly { id: string; lastActivityAt: number; expiresAt?: number | undefined }[]): Promise<void>
  /** Writes the end and its charge in one transaction; false when it had ended already. */
  end(id: string, ending: { endedAt: number; why: EndReason; credits: number }): Promise<boolean>
  /** Open sessions without a heartbeat since that time, or whose server has no lease: their process is gone. */
  lost(since: number): Promise<{ id: string; createdAt: number; renewedAt: number }[]>
}
