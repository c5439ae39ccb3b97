# Opens glTF files in Blender and saves them with their custom properties. usage: python edit.py < jobs
# A job is a line: editor, file, file to write, with tabs between.
import sys

import bpy

for line in sys.stdin:
    _, source, target = line.rstrip("\n").split("\t")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=source)
    bpy.ops.export_scene.gltf(filepath=target, export_format="GLB", export_extras=True, export_lights=True)
