// Renders build/icons/*.svg to the PNG and ICO files the desktop app loads. Run by hand after an icon changed; results
// are kept.
import { readFileSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright'
import { chromiumFlags, findChromium } from '../e2e/support/chromium.cjs'

const folder = new URL('../build/icons/', import.meta.url)
/** state -> colour on a light and on a dark panel (design README) */
const tray = {
  idle: ['#60656d', '#a0a3a9'],
  working: ['#1b6cb9', '#67a9f0'],
  'needs-you': ['#b17013', '#f9a63e'],
  paused: ['#60656d', '#aab0ba'],
  error: ['#ce2f36', '#f77571'],
}
const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: chromiumFlags })
const page = await browser.newPage()

async function pictureOf(svg, size) {
  await page.setViewportSize({ width: size, height: size })
  const sized = svg.replace(/<svg[^>]*>/, (tag) =>
    tag.replace(/\s(?:width|height)="\d+"/g, '').replace('<svg', `<svg width="${size}" height="${size}"`),
  )
  await page.setContent(`<body style="margin:0;background:transparent">${sized.replace(/<\?xml.*?\?>/, '')}</body>`)
  return page.locator('svg').screenshot({ omitBackground: true })
}
const render = async (svg, size, file) => writeFileSync(new URL(file, folder), await pictureOf(svg, size))

/** Sizes of Windows' tray at 100 to 300 %. */
const icoSizes = [16, 20, 24, 32, 40, 48]
/** An .ico holds its pictures one after the other, each as PNG, behind a list of where they are. */
async function renderIco(svg, file) {
  const pictures = []
  for (const size of icoSizes) pictures.push({ size, png: await pictureOf(svg, size) })
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [i, { size, png }] of pictures.entries()) {
    const at = 6 + 16 * i
    head.writeUInt8(size, at)
    head.writeUInt8(size, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(png.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  writeFileSync(new URL(file, folder), Buffer.concat([head, ...pictures.map(({ png }) => png)]))
}
const read = (name) => readFileSync(new URL(name, folder), 'utf8')
for (const [state, [light, dark]] of Object.entries(tray)) {
  const svg = read(`tray-${state}.svg`)
  await renderIco(svg.replaceAll('#000', light), `tray-${state}-light.ico`)
  await renderIco(svg.replaceAll('#000', dark), `tray-${state}-dark.ico`)
  // The shapes are drawn on 16 px. Panels of Linux take 22: the drawing and 3 px around it. Stretched, its edges would
  // lie between the pixels.
  const padded = svg.replace('viewBox="0 0 16 16"', 'viewBox="-3 -3 22 22"')
  for (const [suffix, times] of [
    ['', 1],
    ['@2x', 2],
  ]) {
    // macOS: black with alpha, 16 points and @2x, its name ends in Template
    await render(svg, 16 * times, `tray-${state}Template${suffix}.png`)
    await render(padded.replaceAll('#000', light), 22 * times, `tray-${state}-light${suffix}.png`)
    await render(padded.replaceAll('#000', dark), 22 * times, `tray-${state}-dark${suffix}.png`)
  }
}
for (const size of [32, 256, 512]) await render(read('app.svg'), size, `app-${size}.png`)
await browser.close()
