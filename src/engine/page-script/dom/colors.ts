type Channels = [red: number, green: number, blue: number, alpha: number]

/** Converts CSS colours of any colour space to sRGB: red, green, blue (0–255) and alpha (0–1); null for an invalid colour. */
export function convertColors(texts: readonly string[]): (Channels | null)[] {
  const canvas = new OffscreenCanvas(1, 1)
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  return texts.map((text) => (pen && isColor(pen, text) ? painted(pen) : null))
}

/** A canvas context ignores an invalid colour and keeps the one it had. */
function isColor(brush: OffscreenCanvasRenderingContext2D, text: string): boolean {
  return ['#010203', '#030201'].every((before) => {
    brush.fillStyle = before
    brush.fillStyle = text
    return brush.fillStyle !== before
  })
}

function painted(brush: OffscreenCanvasRenderingContext2D): Channels {
  brush.clearRect(0, 0, 1, 1)
  brush.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0, alpha = 0] = brush.getImageData(0, 0, 1, 1).data
  return [red, green, blue, alpha / 255]
}
