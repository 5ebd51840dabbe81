import type { RemoteObject } from '../../browser/cdp/shapes.ts'
import type { PageCore } from './core.ts'

/** Listens to the page's console once somebody wants to hear it: it costs the page something. */
export function watchConsole(core: PageCore): void {
  let isWatching = false
  const { on } = core.events
  const start = async () => {
    if (isWatching) return
    isWatching = true
    const session = await core.session()
    // What was said before is repeated first.
    const since = Date.now()
    session.on('Runtime.consoleAPICalled', ({ type, args, timestamp }) => {
      if (timestamp >= since) core.events.emit('console', message(type === 'warning' ? 'warning' : type, args))
    })
    session.on('Runtime.exceptionThrown', ({ timestamp, exceptionDetails }) => {
      if (timestamp < since) return
      core.events.emit('pageerror', new Error(exceptionDetails.exception?.description ?? exceptionDetails.text))
    })
    await session.send('Runtime.enable', {})
  }
  core.events.on = (event, listener) => {
    on(event, listener)
    if (event === 'console' || event === 'pageerror') void start().catch(() => undefined)
  }
}

const message = (type: string, args: readonly RemoteObject[]) => ({
  type: () => type,
  text: () => args.map(shown).join(' '),
  args: () => args.map(shown),
  location: () => ({}),
})

const shown = ({ type, value, unserializableValue, description }: RemoteObject) =>
  type === 'string' || type === 'number' || type === 'boolean' || value === null
    ? String(unserializableValue ?? value)
    : (description ?? type)
