import type { ServerResponse } from 'node:http'
import { frameworkShells } from '../../test/engine/auto/shell-frameworks.ts'
import { otherShells } from '../../test/engine/auto/shell-signs.ts'
import { frameworkShapes } from '../../test/engine/auto/static-frameworks.ts'
import { textShapes } from '../../test/engine/auto/static-texts.ts'
import { thingShapes } from '../../test/engine/auto/static-things.ts'

/** Sent for every script that a shell requests: fills the page. */
export const fillScript = `addEventListener('DOMContentLoaded', fill); if (document.readyState !== 'loading') fill()
function fill() { const box = document.createElement('main'); box.innerHTML = '<h1>Filled</h1>' + '<p>A script has written what stands here, as it does on many pages.</p>'.repeat(20); document.body.append(box) }
`
const landing = '<!doctype html><title>Here</title><h1>Here</h1><p>This is where the shell sends its visitors to.</p>'

const staticPages = [...textShapes, ...thingShapes, ...frameworkShapes].flatMap(({ name, page, status = 200 }) =>
  [0, 1, 2, 3].map((size) => ({ name: `${name}, size ${size}`, html: page(size), status })),
)

export const autoPages = {
  static: staticPages.map((page, at) => ({ ...page, path: `/auto/static/${at}` })),
  shell: [...frameworkShells, ...otherShells].map(([name, html], at) => ({
    name,
    html,
    status: 200,
    path: `/auto/shell/${at}`,
  })),
}
const byPath = new Map([...autoPages.static, ...autoPages.shell].map((page) => [page.path, page]))

/** `/auto/KIND/NUMBER` is a page of the test of auto mode. */
export function autoPage(path: string, response: ServerResponse): void {
  const page = byPath.get(path)
  response.writeHead(page?.status ?? 404, { 'content-type': 'text/html; charset=utf-8' }).end(page?.html ?? landing)
}
