import { livesRecords } from '../models/record.lives.ts'
import { inChromium } from './place.ts'

livesRecords(inChromium())
