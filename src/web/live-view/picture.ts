import type { FrameHeader } from '../../engine/session/live-view/messages.ts'
import { byId } from '../page-elements.ts'

export type Screen = ReturnType<typeof createScreen>

/** Draws the frames in order and acknowledges each. */
export function createScreen(drawn: (n: number) => void) {
  const canvas = byId<HTMLCanvasElement>('screen')
  const [stage, paper] = [byId('stage'), byId('paper')]
  const pen = canvas.getContext('2d', { alpha: false })
  let size = { width: 1280, height: 800 }
  let queue = Promise.resolve()
  let zoomFactor = 1

  function fit(): void {
    const { paddingLeft, paddingTop } = getComputedStyle(stage)
    const width = stage.clientWidth - 2 * parseFloat(paddingLeft)
    const height = stage.clientHeight - 2 * parseFloat(paddingTop)
    // At most 1, because an enlarged picture is blurred.
    const fitting = Math.min(width / size.width, height / size.height, 1)
    const scale = Math.max(0.05, fitting) * zoomFactor
    paper.style.width = `${Math.round(size.width * scale)}px`
    paper.style.height = `${Math.round(size.height * scale)}px`
  }

  async function show(message: ArrayBuffer): Promise<void> {
    const { header, jpeg } = frameIn(message)
    try {
      const picture = await createImageBitmap(jpeg)
      if (canvas.width !== picture.width || canvas.height !== picture.height)
        Object.assign(canvas, { width: picture.width, height: picture.height })
      pen?.drawImage(picture, 0, 0)
      picture.close()
    } finally {
      size = { width: header.width, height: header.height }
      fit()
      document.body.classList.remove('joining')
      drawn(header.n)
    }
  }

  new ResizeObserver(fit).observe(stage)
  return {
    draw: (message: ArrayBuffer) => void (queue = queue.then(() => show(message)).catch(() => undefined)),
    /** Converts a point of the window to coordinates of the page. */
    pointOf({ clientX, clientY }: { clientX: number; clientY: number }) {
      const { left, top, width, height } = canvas.getBoundingClientRect()
      const [x, y] = [((clientX - left) / width) * size.width, ((clientY - top) / height) * size.height]
      return { x: Math.round(x), y: Math.round(y) }
    },
    /** Converts a box of the page to coordinates of the window. */
    boxOf({ x, y, width, height }: { x: number; y: number; width: number; height: number }) {
      const { left, top, width: shown } = canvas.getBoundingClientRect()
      const scale = shown / size.width
      return new DOMRect(left + x * scale, top + y * scale, width * scale, height * scale)
    },
    /** Converts a point of the page to fractions of the width and height of the picture. */
    fractionOf: ({ x, y }: { x: number; y: number }) => ({ x: x / size.width, y: y / size.height }),
    /** Page pixels per window pixel. */
    scale: () => size.width / canvas.getBoundingClientRect().width,
    zoom(factor: number) {
      zoomFactor = factor
      fit()
    },
  }
}

function frameIn(message: ArrayBuffer) {
  const length = new DataView(message).getUint16(0)
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(message, 2, length))) as FrameHeader
  return { header, jpeg: new Blob([new Uint8Array(message, 2 + length)], { type: 'image/jpeg' }) }
}
