import { inChromium } from '../../../models/lib/inChromium.ts'
import { testKinds } from '../../../models/record/kindWalks.ts'

testKinds(inChromium())
