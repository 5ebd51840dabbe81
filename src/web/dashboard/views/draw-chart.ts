import uPlot from 'uplot'
import { count, day } from '../parts.ts'

type Day = { date: string; creditsUsed: number }

const height = 240
const halfDay = 43_200

/** Draws the chart into the box, and again when its width or the theme changes, until the result is called. */
export function drawChart(box: HTMLElement, days: readonly Day[]): () => void {
  let chart: uPlot | undefined
  let width = 0
  const draw = () => {
    chart?.destroy()
    chart = new uPlot(
      optionsOf(box, width),
      [days.map(({ date }) => Date.parse(date) / 1000), days.map(({ creditsUsed }) => creditsUsed)],
      box,
    )
  }
  const sizes = new ResizeObserver(() => {
    if (box.clientWidth === width || box.clientWidth === 0) return
    width = box.clientWidth
    draw()
  })
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const themes = new MutationObserver(draw)
  sizes.observe(box)
  dark.addEventListener('change', draw)
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    sizes.disconnect()
    themes.disconnect()
    dark.removeEventListener('change', draw)
    chart?.destroy()
  }
}

function optionsOf(box: HTMLElement, width: number): uPlot.Options {
  const accent = colourOf(box, 'accent')
  const faint = colourOf(box, 'faint')
  const line = colourOf(box, 'line')
  const axis = { stroke: faint, font: '12px system-ui, sans-serif', ticks: { show: false } } satisfies uPlot.Axis
  const bars = uPlot.paths.bars?.({ size: [0.7, 40], radius: 0.15 })
  return {
    width,
    height,
    // Until a day is pointed at, the last one is told.
    hooks: { ready: [(chart) => chart.setLegend({ idx: chart.data[0].length - 1 })] },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
    scales: {
      // Half a day on either side, so that no bar is cut.
      x: { range: (_, first, last) => [first - halfDay, last + halfDay] },
      y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] },
    },
    axes: [
      { ...axis, grid: { show: false }, space: 70, size: 32, values: (_, ticks) => ticks.map(dayOf) },
      { ...axis, grid: { stroke: line, width: 1 }, size: 56, values: (_, ticks) => ticks.map((tick) => count(tick)) },
    ],
    series: [
      { label: 'Day', value: (_, seconds) => (seconds === null ? '–' : dayOf(seconds)) },
      {
        label: 'Credits',
        fill: accent,
        stroke: accent,
        width: 0,
        points: { show: false },
        value: (_, credits) => (credits === null ? '–' : count(credits)),
        ...(bars && { paths: bars }),
      },
    ],
  }
}

const dayOf = (seconds: number) => day(new Date(seconds * 1000).toISOString())

/** What a name stands for depends on the theme, so that an element is asked. */
function colourOf(box: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(--${name})`
  box.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
