import { expect, test } from 'vitest'
import { CdpError } from '../../src/engine/browser/cdp/cdp-session.ts'
import { setDownloads } from '../../src/engine/session/session-downloads.ts'

/** A browser that refuses commands with a context, as an older Chromium does; the tests have only the current one. */
async function sentTo(refusal: string | undefined): Promise<{ sent: object[]; failed: unknown }> {
  const sent: object[] = []
  const send = async (method: string, params: object) => {
    sent.push(params)
    if (refusal !== undefined && 'browserContextId' in params)
      throw CdpError.refused(method, { code: -32_602, message: refusal })
    return {}
  }
  const browser = { send } as unknown as Parameters<typeof setDownloads>[0]
  const wish = { behavior: 'deny', browserContextId: 'A1', eventsEnabled: true } as const
  const failed = await setDownloads(browser, wish, new AbortController().signal).catch((thrown: unknown) => thrown)
  return { sent, failed }
}

test('the command names the context', async () => {
  expect(await sentTo(undefined)).toEqual({
    sent: [{ behavior: 'deny', browserContextId: 'A1', eventsEnabled: true }],
    failed: undefined,
  })
})

test('the command names no context in an older Chromium, which does not know its default one', async () => {
  const { sent, failed } = await sentTo('Failed to find browser context for id A1')
  expect(failed).toBeUndefined()
  expect(sent.at(-1)).toEqual({ behavior: 'deny', eventsEnabled: true })
})
