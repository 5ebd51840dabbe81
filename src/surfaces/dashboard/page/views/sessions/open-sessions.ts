import { call } from '../../api.ts'

export type LiveSession = {
  id: string
  createdAt: string
  lastActivity: string
  expiresAt: string
  liveViewUrl?: string
  interactiveLiveViewUrl?: string
}

export async function openSessions(signal: AbortSignal): Promise<readonly LiveSession[]> {
  const { sessions } = await call<{ sessions: readonly LiveSession[] }>('GET', '/v2/browser?status=active', { signal })
  return sessions
}
