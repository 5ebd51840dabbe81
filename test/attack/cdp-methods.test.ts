import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { closedDomains, refusal, refusedMethods } from '../../src/engine/code/cdp-allowed.ts'
import { browserHere } from '../browser/programs/machine.ts'
import { tempDir } from '../helpers/program.ts'

type Protocol = { domains: { domain: string; commands?: { name: string; parameters?: { name: string }[] }[] }[] }

/** All methods that the browser of this machine lists. */
async function offered() {
  const profile = tempDir()
  const { path } = await browserHere()
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0']
  // A process group, because the program may be a script, and killing only the script would leave the browser running.
  const browser = spawn(path, [...flags, `--user-data-dir=${profile.path}`, 'about:blank'], { detached: true })
  const ended = once(browser, 'exit')
  onTestFinished(async () => {
    if (browser.exitCode === null && browser.signalCode === null) process.kill(-browser.pid!, 'SIGKILL')
    await ended
    profile.remove()
  })
  for await (const line of createInterface(browser.stderr)) {
    const [, port] = /^DevTools listening on ws:\/\/[^/]+:(\d+)/.exec(line) ?? []
    if (port === undefined) continue
    const answer = await fetch(`http://127.0.0.1:${port}/json/protocol`).catch(() => undefined)
    // Small builds, such as the one from npm, have no such list.
    if (!answer) return undefined
    const { domains } = (await answer.json()) as Protocol
    return domains.flatMap(({ domain, commands = [] }) =>
      commands.map(({ name, parameters = [] }) => ({ domain, name, takes: parameters.map((each) => each.name) })),
    )
  }
  return expect.fail('The browser printed no address.')
}

const decisionsOn = (domain: string, name: string) => [
  ...(refusal({ id: 1, method: `${domain}.${name}` }, {}) === undefined ? ['allowed'] : []),
  ...(Object.hasOwn(refusedMethods, `${domain}.${name}`) ? ['refused'] : []),
  ...(Object.hasOwn(closedDomains, domain) ? ['closed'] : []),
]

describe('methods of the DevTools Protocol', () => {
  test('each have exactly one rule, and allowed ones with a path or file are listed', async ({ skip }) => {
    const all = (await offered()) ?? skip('This browser does not list its methods.')
    expect(all.length).toBeGreaterThan(500)
    const undecided = all.filter(({ domain, name }) => decisionsOn(domain, name).length !== 1)
    expect(undecided.map(({ domain, name }) => `${domain}.${name}`)).toEqual([])
    const ofPaths = all
      .filter(({ takes }) => takes.some((each) => /path|file|folder|director/i.test(each)))
      .filter(({ domain, name }) => decisionsOn(domain, name)[0] === 'allowed')
    expect(ofPaths.map(({ domain, name }) => `${domain}.${name}`).toSorted()).toEqual([
      // Paths in these refer to cached requests, nodes, cookies and page events, not to files.
      'CacheStorage.requestEntries',
      'DOM.pushNodeByPathToFrontend',
      'Network.deleteCookies',
      'Network.setCookie',
      'Page.enable',
    ])
  })

  test('are refused with a reason, including unknown ones', () => {
    const refused = [...Object.keys(refusedMethods), ...Object.keys(closedDomains).map((domain) => `${domain}.enable`)]
    for (const method of [...refused, 'Page.future', 'Future.enable', 'constructor.name', '__proto__.x', 'Page', ''])
      expect(refusal({ id: 1, method, params: {} }, {})).toMatch(/\.$/)
  })

  test('that affect the whole browser are refused if others use it', () => {
    for (const method of ['Tracing.start', 'Tracing.requestMemoryDump', 'Memory.getBrowserSamplingProfile']) {
      expect(refusal({ id: 1, method, sessionId: 'own' }, {})).toBeUndefined()
      expect(refusal({ id: 1, method, sessionId: 'own' }, { contextId: 'own' })).toMatch(/Other sessions/)
    }
  })
})
