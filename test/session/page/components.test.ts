import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SessionAction } from '../../../src/contracts/render-port.ts'
import { html } from '../../helpers/site/route.ts'
import { openLive } from './live.ts'

const folder = join(import.meta.dirname, '../../../tools/components')
/** True after `npm ci --prefix tools/components`. */
const isInstalled = existsSync(join(folder, 'node_modules/.package-lock.json'))

const options =
  '--bundle --jsx=automatic --loader:.css=text --log-level=error --define:process.env.NODE_ENV="production"'
const bundle = (file: string) =>
  execFileSync('node_modules/.bin/esbuild', [file, ...options.split(' ')], { cwd: folder, maxBuffer: 20_000_000 })

/** Acts, each with the text that the page displays then. The pages of all libraries have the same controls. */
const acts: readonly (readonly [act: SessionAction, expected: string])[] = [
  [{ type: 'click', target: 'Actions' }, ''],
  [{ type: 'click', target: 'Remove' }, 'menu remove ×1'],
  [{ type: 'select', target: 'Fruit', options: ['Banana'] }, 'fruit Banana ×1'],
  [{ type: 'select', target: 'Fruit', options: ['Cherry'] }, 'fruit Cherry ×2'],
  [{ type: 'click', target: 'button "Settings"' }, 'dialog open ×1'],
  [{ type: 'fill', target: 'Nickname', value: 'Ann' }, 'nickname Ann ×1'],
  [{ type: 'type', target: 'Nickname', value: 'a' }, 'nickname Anna ×2'],
  [{ type: 'click', target: 'Done' }, 'dialog closed ×2'],
  [{ type: 'check', target: 'I want news by mail' }, 'news true ×1'],
  [{ type: 'uncheck', target: 'I want news by mail' }, 'news false ×2'],
  [{ type: 'check', target: 'Dark mode' }, 'dark true ×1'],
  [{ type: 'check', target: 'radio "Express"' }, 'delivery Express ×1'],
  [{ type: 'fill', target: 'Volume', value: '40' }, 'volume 40 ×'],
  [{ type: 'click', target: 'tab "Reviews"' }, 'tab Reviews ×1'],
  [{ type: 'press', key: 'ArrowLeft', target: 'Reviews' }, ''],
  [{ type: 'click', target: 'Actions' }, ''],
  [{ type: 'press', key: 'Escape' }, ''],
]

test.skipIf(!isInstalled).for(['radix.jsx', 'aria.jsx', 'shoelace.js', 'material.js'])(
  'each act on the components of %s has its effect once',
  async (file) => {
    const script = bundle(file)
    const page = html(`<!doctype html><meta charset="utf-8"><title>Components</title><body>
      <script type="module" src="/components.js"></script>`)
    const live = await openLive({
      routes: {
        '/components': page,
        '/components.js': ({ response }) =>
          void response.writeHead(200, { 'content-type': 'text/javascript' }).end(script),
      },
    })
    const agent = await live.agent()
    await agent.open('/components')
    const answers = []
    for (const [act] of acts) {
      const { ok, text } = await agent.act(act)
      answers.push({
        act,
        ok,
        text,
        displayed: (await agent.tabs.current().evaluate('document.querySelector("p").textContent')) as string,
      })
    }
    const shown = await agent.look()
    await agent.close()
    await live.close()
    expect(shown).toMatch(/radio "Express" e\d+.* checked/)
    expect(shown).toMatch(/tab "(?:Details|Reviews)" e\d+.* selected/)
    expect(answers).toEqual(
      acts.map(([act, expected]) => ({
        act,
        ok: true,
        text: expect.any(String),
        displayed: expect.stringContaining(expected),
      })),
    )
  },
)
