import type { Session } from '../../browser/cdp/session.ts'

/** What is being dragged over a page, which the browser leaves to us while it is caught. */
export type Drags = {
  /** From the press of a button to its release. */
  catch(on: 'on' | 'off'): void
  isOn(): boolean
  /** The kind of the next event of the drag there is, and what it carries. */
  next(how: 'move' | 'drop'): { type: 'dragEnter' | 'dragOver' | 'drop'; data: object } | undefined
}

/**
 * A drag that the browser begins by itself waits for a hand at a real mouse, and takes the events of ours now and then. So
 * it is caught, and told to the page step by step.
 */
export function watchDrags(session: Session): Drags {
  let catching: 'on' | 'off' = 'off'
  let data: object | undefined
  let hasEntered = false
  session.on('Input.dragIntercepted', (caught) => {
    data = caught.data
  })
  return {
    catch(on) {
      catching = on
      data = undefined
      hasEntered = false
      session.send('Input.setInterceptDrags', { enabled: on === 'on' }).catch(() => undefined)
    },
    isOn: () => catching === 'on',
    next(how) {
      if (!data) return undefined
      if (how === 'drop') return { type: 'drop', data }
      const type = hasEntered ? 'dragOver' : 'dragEnter'
      hasEntered = true
      return { type, data }
    },
  }
}
