/** Converts CSS colours of any colour space to sRGB: red, green, blue (0–255) and alpha (0–1); null for an invalid colour. */
export function convertColors(texts: readonly string[]): ([number, number, number, number] | null)[] {
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

function painted(brush: OffscreenCanvasRenderingContext2D): [number, number, number, number] {
  brush.clearRect(0, 0, 1, 1)
  brush.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0, alpha = 0] = brush.getImageData(0, 0, 1, 1).data
  return [red, green, blue, alpha / 255]
}

/** Computed custom properties of the root and the body whose names say what they are for, such as `--color-primary`. */
export function styleVariables(maxVariables: number): [name: string, value: string][] {
  const role =
    /(?:^|-)(?:primary|brand|main|secondary|accent|success|positive|warning|warn|caution|error|danger|negative|destructive)(?:-|$)/i
  const found: [string, string][] = []
  for (const element of Document.prototype.querySelectorAll.call(document, ':root,:root>body'))
    for (const [name, values] of element.computedStyleMap()) {
      if (!name.startsWith('--') || !role.test(name)) continue
      const value = Array.from(values)[0]?.toString().trim() ?? ''
      if (value !== '' && value.length <= 80) found.push([name, value])
    }
  return found.slice(0, maxVariables)
}
