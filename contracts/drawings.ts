/**
 * The shop's own drawings, for parts without a picture and for the demo. They ship with the
 * program, so every image store has them.
 */
import { drawingIdStart as idStart, pictureAddress, readPictureName } from './catalogue.ts'

/**
 * The files are in server/adapters/images/drawings. The index in this list is part of a drawing's
 * address, which orders and mails store, so append new drawings at the end.
 */
export const drawings = [
  'part',
  'processor',
  'graphics-card',
  'motherboard',
  'memory-module',
  'storage-drive',
  'power-supply',
  'case',
  'tower-cooler',
  'liquid-cooler',
  'fan',
  'monitor',
  'keyboard',
  'mouse',
  'headset',
  'webcam',
  'thermal-paste',
  'network-card',
  'sound-card',
  'speaker',
  'ups',
  'external-drive',
  // variants for parts of the demo
  'processor-plain',
  'processor-tall',
  'graphics-card-1',
  'graphics-card-2-blue',
  'graphics-card-3',
  'graphics-card-3-blue',
  'graphics-card-3-white',
  'motherboard-matx',
  'motherboard-itx',
  'motherboard-black',
  'motherboard-white',
  'memory-module-2',
  'memory-module-2-white',
  'memory-module-2-lights',
  'memory-module-bare',
  'storage-drive-blue',
  'storage-drive-sink',
  'storage-drive-sata',
  'storage-drive-hdd',
  'power-supply-white',
  'power-supply-sfx',
  'power-supply-fanless',
  'case-mini',
  'case-full',
  'case-mesh',
  'case-white',
  'case-itx',
  'tower-cooler-2',
  'tower-cooler-black',
  'tower-cooler-white',
  'liquid-cooler-1',
  'liquid-cooler-3',
  'liquid-cooler-white',
  'fan-3',
  'fan-white',
  'fan-lights',
  'monitor-desktop',
  'monitor-night',
  'monitor-sea',
  'monitor-wide',
  'keyboard-60-white',
  'keyboard-wireless',
  'mouse-white',
  'mouse-wired',
  'headset-open',
  'headset-white',
  // one drawing for each of these demo parts
  'basalt-b650-atx',
  'basalt-b650i-itx',
  'breadbox-itx',
  'chimney-120',
  'chimney-140-duo',
  'cinder-rx-6400-short',
  'cinder-rx-7600',
  'cinder-rx-7800-xt',
  'fluxgate-5-245',
  'granary-8tb',
  'hearth-ssd-1tb',
  'keystone-104',
  'keystone-75',
  'keystone-pad',
  'lodestone-7-9700x',
  'marrow-450-sfx',
  'marrow-750',
  'paperwhite-27-qhd',
  'paperwhite-34-wide',
  'pebble-trackball',
  'pebble-wireless',
  'slipstream-nvme-2tb',
  'twinbank-ddr5-16',
  'twinbank-ddr5-32',
  'updraft-120',
  'updraft-140',
  'vitrine-atx',
] as const
export type Drawing = (typeof drawings)[number]

/** The drawings of kinds. All later ones are of demo parts. */
export const kindDrawings = drawings.slice(0, drawings.indexOf('processor-plain'))

/** The prefix of every drawing's address. */
export const drawingsStart = `/images/${idStart}`

export const drawingAddress = (drawing: Drawing) =>
  pictureAddress(`${idStart}${String(drawings.indexOf(drawing)).padStart(4, '0')}`)

/** Returns the drawing with this picture id, if there is one. */
export function drawingOf(id: string): Drawing | undefined {
  return id.startsWith(idStart) ? drawings[Number(id.slice(idStart.length))] : undefined
}

export const isDrawing = (address: string) =>
  drawingOf(readPictureName(address.slice('/images/'.length))?.id ?? '') !== undefined

/**
 * The `image` of a part without a picture: the database replaces it with the drawing of the part's
 * kind, and updates it when the kind changes. `image` is never empty.
 */
export const noPicture = drawingAddress('part')
