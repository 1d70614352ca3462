/** A page that explains why there is no form, in the language of the device. */
import { offerLanguages, preferredLanguage, showLanguage } from "./language.js";

showLanguage(preferredLanguage());
offerLanguages(showLanguage);
