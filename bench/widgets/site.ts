import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Task } from './task.ts'

export type TaskSite = {
  /** Serves a task at the returned address. */
  show(task: Task): string
  /** Verdict of the page of the latest task; undefined if there is none within two seconds. */
  judged(): Promise<boolean | undefined>
  close(): void
}

const style =
  '.alink,.head,.mail,.trash,.menu li,.block { cursor: pointer } .box { border: 1px solid; padding: 8px } .rail { width: 90px } .handle { display: inline-block; width: 9px; height: 9px; background: #888 } #popup { position: fixed; inset: 0; background: #fff }'

const pageOf = ({
  ask,
  body,
  script = '',
}: Task) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Task</title>
<style>${style}</style><p>${ask}</p><div id="area">${body}</div><script>
const $ = (selector) => document.querySelector(selector), all = (selector) => [...document.querySelectorAll(selector)]
let isOver = false
const done = (isRight) => { if (!isOver) fetch('/judged', { method: 'POST', body: String(isRight) }); isOver = true }
${script}</script></html>`

export async function startTaskSite(): Promise<TaskSite> {
  let html = ''
  let count = 0
  let judgement = Promise.withResolvers<boolean | undefined>()
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (request.method !== 'POST') return void response.end(html)
    request.setEncoding('utf8').once('data', (text: string) => judgement.resolve(text === 'true'))
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    show(task) {
      html = pageOf(task)
      judgement = Promise.withResolvers()
      return `${origin}/${(count += 1)}`
    },
    judged() {
      const { promise, resolve } = judgement
      setTimeout(() => resolve(undefined), 2000)
      return promise
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
