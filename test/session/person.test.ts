import { describe, expect, it, vi } from 'vitest'
import type { ActionsResult, SessionAction } from '../../src/contracts/render-port.ts'
import { createTabs } from '../../src/engine/session/page/tabs.ts'
import { createPersonWatch } from '../../src/engine/session/acting-calls.ts'
import { runActions } from '../../src/engine/session/browser-sessions.ts'
import type { AskPerson, Ctx } from '../../src/kernel/ctx.ts'
import { shareHere } from '../browser/programs/shared.ts'
import { leftOpen, forAll } from '../helpers/for-all.ts'

const box = (src: string, style = 'width:304px;height:78px') => `<iframe src="data:,${src}" style="${style}"></iframe>`
const soon = () => AbortSignal.timeout(20_000)

describe('a page for a person', () => {
  const browser = forAll(shareHere)
  const tabs = forAll(async () => {
    const { browserContextId } = await browser.connection.browser.send('Target.createBrowserContext', {})
    return createTabs(browser.connection, { contextId: browserContextId }, soon())
  }, leftOpen)

  async function taskOn(html: string): Promise<string | undefined> {
    const tab = tabs.current()
    await tab.evaluate(`document.documentElement.innerHTML = ${JSON.stringify(html)}`, soon())
    return createPersonWatch()(tab)
  }

  it.each([
    ['a captcha', box('recaptcha/api2/anchor'), 'captcha'],
    ['a captcha of another vendor', box('hcaptcha.com/box'), 'captcha'],
    ['a picture with letters', '<img src="data:,captcha" style="width:200px;height:60px"><input>', 'captcha'],
    [
      'a captcha whose answer is empty',
      `${box('hcaptcha.com')}<textarea name="h-captcha-response"></textarea>`,
      'captcha',
    ],
    ['a login', '<form><input name="user"><input type="password" name="pass"></form>', 'login'],
    ['a solved captcha', `${box('hcaptcha.com')}<input name="h-captcha-response" value="x" hidden>`, undefined],
    ['an invisible captcha with a badge', box('recaptcha/api2/anchor?size=invisible'), undefined],
    ['a hidden captcha', box('recaptcha/api2/anchor', 'display:none'), undefined],
    ['a captcha of one pixel', box('recaptcha/api2/anchor', 'width:1px;height:1px'), undefined],
    ['a form for a new account', '<input type="password"><input type="password">', undefined],
    ['a field for a new password', '<input type="password" autocomplete="new-password">', undefined],
    ['a hidden login', '<div style="display:none"><input type="password"></div>', undefined],
    ['neither a captcha nor a login', '<h1>Hello</h1><p>We use no captcha here.</p>', undefined],
  ])('with %s', async (_, html, task) => expect(await taskOn(html)).toBe(task))

  it('is reported only once', async () => {
    const watch = createPersonWatch()
    await taskOn('<input type="password">')
    expect(await watch(tabs.current())).toBe('login')
    expect(await watch(tabs.current())).toBeUndefined()
    await taskOn(box('hcaptcha.com'))
    expect(await watch(tabs.current())).toBe('captcha')
  })
})

describe('acts on a page for a person', () => {
  const result: ActionsResult = { ok: true, done: 1, url: 'http://a.test/', title: '', text: 'Clicked.', extracted: [] }
  const secrets = { cdp: 'c', view: 'v', control: 'k' }

  function setUp(wants: ActionsResult['wants'], askPerson?: AskPerson) {
    const askViewers = vi.fn<Ctx['ports']['sessions']['askViewers']>((_, { until }) =>
      until === 'watched' ? Promise.resolve('waiting') : new Promise(() => {}),
    )
    const act = vi.fn<Ctx['ports']['sessions']['act']>()
    act.mockResolvedValueOnce({ ...result, wants }).mockResolvedValue({ ...result, text: 'Welcome.' })
    const sessions = {
      act,
      find: async () => ({ id: 'id', secrets, streamWebView: true }),
      baseUrl: async () => 'http://here',
      askViewers,
    }
    const ctx = { ports: { sessions }, team: { id: 'red' }, baseUrl: '', signal: soon(), askPerson } as unknown as Ctx
    return {
      act,
      askViewers,
      run: (ask?: string, acts: readonly SessionAction[] = [{ type: 'back' }]) =>
        runActions({ sessionId: 'id', acts, askPerson: ask }, ctx),
    }
  }
  const url = 'http://here/live/k'

  it('return the URL of the live view if no person can be asked', async () => {
    const { run } = setUp('captcha')
    expect(await run()).toMatchObject({
      ok: true,
      text: 'Clicked.',
      needsPerson: { reason: 'captcha', outcome: 'waiting', url },
    })
  })

  it('close a session that is not kept, even if they fail', async () => {
    const close = vi.fn<() => Promise<void>>(async () => {})
    const act = vi.fn<Ctx['ports']['sessions']['act']>().mockRejectedValue(new Error('The browser has crashed.'))
    const ctx = { ports: { sessions: { act, close } }, team: { id: 'red' }, signal: soon() } as unknown as Ctx
    await expect(runActions({ sessionId: 'id', acts: [{ type: 'back' }], keep: false }, ctx)).rejects.toThrow('crashed')
    expect(close).toHaveBeenCalledExactlyOnceWith({ id: 'id', teamId: 'red' })
  })

  it('ask for a captcha, and return the page afterwards', async () => {
    const ask = vi.fn<AskPerson>(async () => 'done')
    const { run } = setUp('captcha', ask)
    expect(await run()).toMatchObject({ text: 'Clicked.\nWelcome.', needsPerson: { outcome: 'done' } })
    expect(ask).toHaveBeenCalledExactlyOnceWith({ message: expect.stringContaining('captcha'), url }, expect.anything())
  })

  it('leave a login to the model, and return the URL of the live view', async () => {
    const ask = vi.fn<AskPerson>(async () => 'done')
    const { run } = setUp('login', ask)
    expect(await run()).toMatchObject({ needsPerson: { reason: 'login', outcome: 'waiting', url } })
    expect(ask).not.toHaveBeenCalled()
  })

  it.each(['declined', 'unsupported'] as const)(
    'are not performed if the requested person answered: %s',
    async (answer) => {
      const { run, act } = setUp(undefined, async () => answer)
      const outcome = answer === 'declined' ? 'declined' : 'waiting'
      expect(await run('Log in')).toMatchObject({
        ok: false,
        needsPerson: { reason: 'asked', outcome, message: 'Log in' },
      })
      expect(act).not.toHaveBeenCalled()
    },
  )

  it('continue when a person in the live view is done, and stop asking at the client', async () => {
    let signal: AbortSignal | undefined
    const { run, act, askViewers } = setUp(undefined, (_, given) => {
      signal = given
      return new Promise(() => {})
    })
    askViewers.mockResolvedValue('done')
    expect(await run('Log in')).toMatchObject({ ok: true, needsPerson: { outcome: 'done' } })
    expect(act).toHaveBeenCalledOnce()
    expect(signal?.aborted).toBe(true)
  })

  it('continue when the person is done', async () => {
    const { run, act } = setUp(undefined, async () => 'done')
    expect(await run('Log in')).toMatchObject({ ok: true, needsPerson: { outcome: 'done' } })
    expect(act).toHaveBeenCalledOnce()
  })
})
