import { builtinModules } from 'node:module'
import { createSocket } from 'node:dgram'
import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { permission } from '../../../src/engine/code/sandbox/find-sandbox.ts'
import { shareHere } from '../../browser/programs/shared.ts'
import { outcome, runnerOn } from './programs/coding.ts'
import { openOf, waysOut } from './programs/ways-out.ts'
import { forAll } from '../../helpers/for-all.ts'

/** Internal modules of Node, which `builtinModules` does not list. */
const inner = ['internal/test/binding', 'internal/bootstrap/realm', 'internal/dns/utils', 'internal/net', 'quic', 'ffi']
const names = [...new Set([...builtinModules, ...inner].map((name) => name.replace(/^node:/, '')))]
const computing = (
  'assert assert/strict buffer crypto events path path/posix path/win32 punycode querystring stream stream/consumers ' +
  'stream/promises stream/web string_decoder timers timers/promises url util util/types zlib'
).split(' ')
const bindings = 'tcp_wrap pipe_wrap udp_wrap tty_wrap cares_wrap process_wrap spawn_sync fs os'.split(' ')

/** Code that visits every object and function that can be reached from `roots`. */
const walking = `function walk(roots, visit) {
  const seen = new Set()
  const queue = [...roots]
  while (queue.length > 0) {
    const at = queue.pop()
    if ((typeof at !== 'object' && typeof at !== 'function') || at === null || seen.has(at)) continue
    seen.add(at)
    visit(at)
    queue.push(Object.getPrototypeOf(at))
    for (const key of Reflect.ownKeys(at)) {
      const { value, get, set } = Object.getOwnPropertyDescriptor(at, key) ?? {}
      queue.push(value, get, set)
      if (get) try {
        const got = get.call(at)
        queue.push(got)
        if (got instanceof Promise) got.catch(() => {})
      } catch {}
    }
    if (at instanceof Map || at instanceof Set) try { queue.push(...[...at].flat()) } catch {}
  }
  return seen.size
}`

const browser = forAll(shareHere)
const runner = forAll(() => runnerOn(browser, { language: 'node', sandbox: permission }))
const valueOf = async (code: string) => {
  const { lastValue, error } = await outcome(runner, code)
  expect(error).toBeUndefined()
  return JSON.parse(lastValue ?? 'null') as unknown
}

describe('Node code without a strong sandbox', () => {
  test('gets only builtin modules that compute, however it loads them', async () => {
    const open = await valueOf(`const ways = {
        require: (name) => require(name),
        'require node:': (name) => require('node:' + name),
        import: (name) => import(name),
        'import node:': (name) => import('node:' + name),
        'import in a module': (name) => import('data:text/javascript,import * as all from ' + JSON.stringify('node:' + name)),
        getBuiltinModule: (name) => process.getBuiltinModule(name) ?? Promise.reject(),
        'getBuiltinModule node:': (name) => process.getBuiltinModule('node:' + name) ?? Promise.reject(),
      }
      const open = {}
      for (const [way, load] of Object.entries(ways)) {
        open[way] = []
        for (const name of ${JSON.stringify(names)})
          try { await load(name); open[way].push(name) } catch {}
      }
      open`)
    const loaded = Object.values(open as Record<string, string[]>)
    expect(loaded).toHaveLength(7)
    for (const modules of loaded) expect(modules.toSorted()).toEqual(computing.toSorted())
  })

  test('gets no bindings, internals or other modules', async () => {
    expect(
      await valueOf(`const open = []
        for (const name of ${JSON.stringify(bindings)})
          for (const way of ['binding', '_linkedBinding'])
            try { process[way](name); open.push(way + ' ' + name) } catch ({ code }) { if (code !== 'ERR_ACCESS_DENIED') open.push(code) }
        open.push(...['internalBinding', 'primordials', 'module', 'exports'].filter((name) => eval('typeof ' + name) !== 'undefined'))
        open.push(...Object.keys(require))
        open`),
    ).toEqual([])
  })

  test('finds no class of sockets, files, processes or threads in its objects', async () => {
    const found = await valueOf(`${walking}
      const classes = /^(?:TCP|TTY|Pipe|UDP|ChannelWrap|GetAddrInfoReqWrap|Process|Worker|Socket|Server|Agent|ClientRequest|FSReqCallback|FileHandle|ReadStream|WriteStream|Resolver|Session|DatabaseSync|WASI)$/
      // Playwright's two classes for the workers of a page.
      const isOfPlaywright = ({ name, prototype }) =>
        name === 'Worker' && (prototype?.evaluateExpression || prototype?.evaluateHandle)
      const found = []
      const modules = ${JSON.stringify(computing)}.map((name) => require(name))
      const size = walk([globalThis, process, require, page, context, browser, ...modules], (each) => {
        if (typeof each === 'function' && each.prototype && classes.test(each.name) && !isOfPlaywright(each)) found.push(each.name)
      })
      ;[size > 3000, found]`)
    expect(found).toEqual([true, []])
  })

  test('cannot connect with objects that it intercepts by overriding methods of our streams', async () => {
    const visits = vi.fn<() => void>()
    const server = createServer(visits)
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const datagrams = createSocket('udp4').on('message', visits)
    await new Promise<void>((resolve) => void datagrams.bind(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const tried = await valueOf(`${walking}
      const taken = new Set()
      const { EventEmitter } = require('events')
      const { Readable, Writable, Duplex } = require('stream')
      const override = (object, name) => {
        const real = object[name]
        object[name] = function (...all) { taken.add(this); return Reflect.apply(real, this, all) }
      }
      for (const name of ['emit', 'on', 'once']) override(EventEmitter.prototype, name)
      for (const name of ['push', 'read', 'resume']) override(Readable.prototype, name)
      for (const name of ['write', 'end']) { override(Writable.prototype, name); override(Duplex.prototype, name) }
      await page.title()
      await new Promise((resolve) => process.stdout.write('', resolve))
      const classes = new Map()
      walk(taken, (each) => {
        if (typeof each === 'function' && /^(?:TCP|Pipe|UDP|ChannelWrap|Socket)$/.test(each.name)) classes.set(each.name, each)
      })
      const tried = {}
      for (const [name, Class] of classes) {
        let made
        try { made = name === 'Socket' ? new Class() : new Class(0) } catch ({ message }) { tried[name] = message; continue }
        for (const [method, given] of Object.entries({
          connect: name === 'Socket' ? [${port}, '127.0.0.1'] : [{}, '127.0.0.1', ${port}],
          bind: ['127.0.0.1', 0], listen: [1], open: [0], bind6: ['::1', 0, 0], connect6: [{}, '::1', ${port}],
        })) {
          if (!(method in made)) continue
          try { made[method](...given); tried[name + ' ' + method] = 'open' } catch ({ code }) { tried[name + ' ' + method] = code }
        }
      }
      tried`)
    expect(Object.keys(tried as object)).toEqual(
      expect.arrayContaining(['Pipe connect', 'Pipe listen', 'Socket connect']),
    )
    expect(new Set(Object.values(tried as object))).toEqual(new Set(['ERR_ACCESS_DENIED']))
    expect(visits).not.toHaveBeenCalled()
    server.close()
    datagrams.close()
  })

  test('has no way out of the process', async () => {
    expect(await valueOf(openOf({ ...waysOut, 'do nothing': '' }))).toEqual(['do nothing'])
  })

  test('reveals nothing about the machine, nor the path of the installation', async () => {
    const { lastValue } = await outcome(
      runner,
      `JSON.stringify([process.argv, process.execPath, process.execArgv, process.title, process.report, process.cwd()])`,
    )
    expect(JSON.parse(lastValue!)).toEqual([['node', 'code.js'], 'node', [], 'node', null, '/'])
    const { stdout, stderr } = await outcome(runner, `console.log(new Error('x').stack); require('fs')`)
    expect(stdout + stderr).toContain('code.js:1')
    expect(stderr).not.toContain(import.meta.dirname.split('/test/')[0]!)
  })
})
